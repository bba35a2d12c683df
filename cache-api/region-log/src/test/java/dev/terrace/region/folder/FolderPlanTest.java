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
class FolderPlanTest {

  @TempDir Path temporary;

  private Path machine(String id) throws IOException {
    return Files.writeString(temporary.resolve("machine " + id), id);
  }

  @Test
  void differsByMachineAndByFolder() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("folder"));
    Path other = Files.createDirectory(temporary.resolve("other"));
    int place = FolderPlan.place(folder, machine("1"));

    assertThat(place).isNotZero().isEqualTo(FolderPlan.place(folder, machine("1")));
    assertThat(FolderPlan.place(folder, machine("2"))).isNotEqualTo(place);
    assertThat(FolderPlan.place(folder, temporary.resolve("none"))).isNotZero();
    assertThat(FolderPlan.place(other, machine("1"))).isNotEqualTo(place);
    assertThat(FolderPlan.place(temporary.resolve("absent"))).isZero();

    Path renamed = Files.move(folder, temporary.resolve("renamed"));
    assertThat(FolderPlan.place(renamed, machine("1"))).isEqualTo(place);
  }
}
