// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that may write only small files. */
class OwnedPathsTest {

  @TempDir Path temporary;

  @Test
  void isReadFromTheList() {
    assertThat(limit("102400               unlimited            bytes     ")).isEqualTo(102400);
    assertThat(limit("unlimited            unlimited            bytes     "))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(limit("18446744073709551614 18446744073709551614 bytes     "))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(OwnedPaths.largestFileBytes(List.of())).isEqualTo(Long.MAX_VALUE);
  }

  private static long limit(String columns) {
    return OwnedPaths.largestFileBytes(
        List.of(
            "Limit                     Soft Limit           Hard Limit           Units     ",
            "Max file size             " + columns,
            "Max open files            20000                20000                files     "));
  }

  @Test
  void isToldAtAnOpeningThatItKeepsFrom() throws IOException {
    Path path = temporary.resolve("cache");
    try (OtherProcess other = OtherProcess.open(path)) {
      assertThat(other.hasIt()).as(other.said()).isTrue();
    }
    Path regions = path.resolve("terrace/regions");
    byte[] before = Files.readAllBytes(path.resolve("terrace/superblock"));
    // In units of 512 or 1024 bytes.
    try (OtherProcess other = OtherProcess.open(path, "250")) {
      assertThat(other.said())
          .startsWith("path=" + regions + " is to have bytes=" + 4 * (64 << 10))
          .contains("ulimit -f", "make the tier smaller")
          .containsAnyOf("is bytes=128000:", "is bytes=256000:");
    }
    assertThat(path.resolve("terrace/superblock")).hasBinaryContent(before);
  }
}
