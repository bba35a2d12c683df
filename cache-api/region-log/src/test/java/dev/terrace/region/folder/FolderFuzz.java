// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.Superblock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The small files of a folder. The first byte of an input tells which: a superblock's two copies,
 * each with its checksum if that byte is odd, or a lock's line.
 */
public final class FolderFuzz {

  private FolderFuzz() {}

  /** Parses one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    if ((input[0] >> 1 & 3) == 1) {
      lockLine(bytes);
    } else {
      superblock(bytes, (input[0] & 1) != 0);
    }
  }

  private static void superblock(byte[] copies, boolean isMended) {
    ByteBuffer file = RecordLayout.littleEndian(ByteBuffer.allocate(Superblock.FILE_BYTES));
    int copyBytes = Superblock.COPY_BYTES;
    put(file, Superblock.FIRST_COPY, copies, 0, copyBytes);
    put(file, Superblock.SECOND_COPY, copies, copyBytes, copyBytes);
    if (isMended) {
      mend(file, Superblock.FIRST_COPY);
      mend(file, Superblock.SECOND_COPY);
    }
    Superblock.Reading reading = Superblock.decode(file.array());
    assertThat(reading.superblock().isEmpty() && reading.fault().isEmpty()).isFalse();
    if (reading.superblock().isPresent()) {
      Superblock superblock = reading.superblock().get();
      assertThat(superblock.generation()).isPositive();
      assertThat(superblock.geometry().regions()).isPositive();
      assertThat(superblock.geometry().sizeBytes()).isPositive();
      assertThat(Superblock.decode(superblock.encode()).superblock()).contains(superblock);
    }
  }

  private static void put(ByteBuffer file, int at, byte[] bytes, int from, int length) {
    int rest = Math.max(0, Math.min(length, bytes.length - from));
    file.put(at, bytes, Math.min(from, bytes.length), rest);
  }

  private static void mend(ByteBuffer file, int copy) {
    int checksum = Superblock.COPY_BYTES - Integer.BYTES;
    file.putInt(copy + checksum, RecordLayout.crc(file, copy, checksum));
  }

  private static void lockLine(byte[] bytes) {
    PathLock.pid(new String(bytes, StandardCharsets.UTF_8))
        .ifPresent(pid -> assertThat(pid).isNotNegative());
  }
}
