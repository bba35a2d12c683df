// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a folder lies. */
class FolderPlaceTest {

  @TempDir Path temporary;

  private Path machine(String id) throws IOException {
    return Files.writeString(temporary.resolve("machine " + id), id);
  }

  @Test
  void differsByMachineAndByFolder() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("folder"));
    Path other = Files.createDirectory(temporary.resolve("other"));
    int place = FolderPlace.of(folder, machine("1"));

    assertThat(place).isNotZero().isEqualTo(FolderPlace.of(folder, machine("1")));
    assertThat(FolderPlace.of(folder, machine("2"))).isNotEqualTo(place);
    assertThat(FolderPlace.of(folder, temporary.resolve("none"))).isNotZero();
    assertThat(FolderPlace.of(other, machine("1"))).isNotEqualTo(place);
    assertThat(FolderPlace.of(temporary.resolve("absent"))).isZero();

    Path renamed = Files.move(folder, temporary.resolve("renamed"));
    assertThat(FolderPlace.of(renamed, machine("1"))).isEqualTo(place);
  }
}
