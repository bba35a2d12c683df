// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
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

  @Test
  void saysWhatToDoWhereTheDirectoryCannotBeMade() throws Exception {
    Path below = Files.createFile(parent.resolve("file")).resolve("below");

    assertThatThrownBy(() -> space.require(below, new ByteSize(1), "use --dir DIRECTORY"))
        .isInstanceOf(RunFailure.class)
        .hasMessageContaining("--dir");
  }

  @Test
  void tooLittleMemoryIsOneLineThatSaysWhatIsNeeded() {
    ByteSize size = ByteSize.ofMebibytes(500);
    ByteSize none = new ByteSize(0);
    CacheSizes sizes = new CacheSizes(size, size, none, none);
    long more = size.bytes();
    assertThatThrownBy(
            () -> DiskSpace.requireMemory(ByteSize.parse("1g"), 7, sizes, more, "use fewer"))
        .isInstanceOf(RunFailure.class)
        .hasMessageContaining("7 servers side by side need about 9")
        .hasMessageContaining(", 1 GB are available")
        .hasMessageEndingWith("or use fewer")
        .hasMessageNotContaining("\n");
  }
}
