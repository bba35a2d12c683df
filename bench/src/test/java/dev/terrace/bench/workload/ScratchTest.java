// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ScratchTest {

  @Test
  void removesWhatIsInItsDirectories() throws IOException {
    Path file;
    Path mapped;
    try (Scratch scratch = Scratch.create()) {
      file = Files.writeString(scratch.fileDirectory().resolve("a"), "a");
      mapped = Files.writeString(scratch.pmemDirectory().resolve("b"), "b");
      assertThat(file).exists();
      assertThat(mapped).exists();
    }
    assertThat(file.getParent()).doesNotExist();
    assertThat(mapped.getParent()).doesNotExist();
  }
}
