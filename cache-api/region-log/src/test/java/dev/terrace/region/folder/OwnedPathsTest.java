// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small files of a folder. */
class OwnedPathsTest {

  @TempDir Path temporary;

  @Test
  void theFirstBytesOfAFileAreRead() throws IOException {
    Path file = Files.write(temporary.resolve("file"), new byte[] {1, 2, 3, 4});
    assertThat(OwnedPaths.read(file, 3)).contains(new byte[] {1, 2, 3});
    assertThat(OwnedPaths.read(file, 100)).contains(new byte[] {1, 2, 3, 4});
    assertThat(OwnedPaths.read(temporary.resolve("absent"), 3)).isEmpty();
  }

  @Test
  void whatCannotBeReadIsNotAbsent() {
    assertThatExceptionOfType(UnusablePathException.class)
        .isThrownBy(() -> OwnedPaths.read(temporary, 3))
        .withMessageContaining("path=" + temporary + " cannot be read now")
        .withMessageContaining("Is a directory");
  }
}
