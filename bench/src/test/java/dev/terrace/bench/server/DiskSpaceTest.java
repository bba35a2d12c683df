// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.cli.ByteSize;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskSpaceTest {

  @TempDir Path parent;

  private final DiskSpace space = new DiskSpace();

  @Test
  void needsOnOneDiskAddUp() throws Exception {
    ByteSize half = new ByteSize(Files.getFileStore(parent).getUsableSpace() / 2 + (64L << 20));

    space.require(parent, half, "name another one");

    assertThatThrownBy(() -> space.require(parent, half, "name another one"))
        .isInstanceOf(RunFailure.class)
        .hasMessageContaining("not enough space in " + parent)
        .hasMessageEndingWith("needed; free some, name another one")
        .hasMessageNotContaining("\n");
  }
}
