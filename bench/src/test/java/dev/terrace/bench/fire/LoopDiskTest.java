// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.api.Patience;
import dev.terrace.bench.fire.LoopDisk.Disks;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs root on Linux, as the disks do. */
final class LoopDiskTest {

  private static final int FILE_BYTES = 20 << 20;

  private final Disks disks = new Disks();
  private Path folder;
  private Path file;
  private LoopDisk disk;

  @BeforeEach
  void mount(@TempDir Path parent) throws IOException {
    folder = Files.createDirectory(parent.resolve("ssd"));
    disks.add(folder, 8L << 20);
    assumeTrue(disks.whyNone().isEmpty(), disks.whyNone());
    disk = disks.of(List.of(folder)).get(0);
    file = folder.resolve("file");
    write();
  }

  @AfterEach
  void remove() {
    disks.mend();
    disks.remove();
    assertThat(folder).isEmptyDirectory();
    assertThat(folder.resolveSibling("ssd.img")).doesNotExist();
  }

  /** Writes more than the good part of a disk that fails, down to the disk. */
  private void write() throws IOException {
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.write(new byte[FILE_BYTES]);
      opened.getFD().sync();
    }
  }

  @Test
  void aDiskThatFailsWorksAgain() throws IOException {
    disk.failBeyond(0.2);
    assertThatThrownBy(this::write).isInstanceOf(IOException.class);
    disk.mend();
    write();
    assertThat(file).hasSize(FILE_BYTES);
  }

  @Test
  void aFullDiskHasRoomAgain() throws IOException {
    disk.fill();
    Path more = folder.resolve("more");
    assertThatThrownBy(() -> Files.write(more, new byte[1 << 20])).hasMessageContaining("space");
    disk.mend();
    Files.write(more, new byte[1 << 20]);
    assertThat(more).hasSize(1 << 20);
  }

  @Test
  void aDiskThatWasAwayHasItsFiles() throws IOException {
    disk.takeAway();
    assertThat(folder).isEmptyDirectory();
    disk.mend();
    assertThat(file).hasSize(FILE_BYTES);
  }

  @Test
  void aDiskThatHangsIsWrittenToAgain() throws IOException {
    disk.freeze();
    assertThatThrownBy(disk::freeze).hasMessageContaining("fsfreeze");
    disk.mend();
    write();
    assertThat(file).hasSize(FILE_BYTES);
  }

  @Test
  void readsThatHangGoOn() throws Exception {
    assumeTrue(LoopDisk.canHoldReads(), "reads cannot be held here");
    disk.holdReads();
    Process reader =
        new ProcessBuilder("dd", "if=" + file, "of=/dev/null", "bs=4096", "count=1", "iflag=direct")
            .redirectErrorStream(true)
            .start();
    Path stat = Path.of("/proc", Long.toString(reader.pid()), "stat");
    await().until(() -> Files.readString(stat).contains(") D "));

    disk.mend();

    assertThat(reader.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(reader.exitValue()).isZero();
  }
}
