// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.warmup.HotList.OfFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Hot lists. If the first byte of an input is odd, the list behind it gets its checksum. */
public final class HotListFuzz {

  private HotListFuzz() {}

  /**
   * Reads a list: it is within its bounds, and the same after it was written and read, or refused.
   */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    if ((input[0] & 1) != 0 && bytes.length >= Integer.BYTES) {
      mend(bytes);
    }
    HotList list;
    try {
      list = HotList.decoded(bytes);
    } catch (IOException e) {
      assertThat(e)
          .hasMessageMatching("(?s)(not a warm-up list|unknown version|checksum|position).*");
      return;
    }
    assertThat(3L * list.blocks()).isLessThan(bytes.length);
    list.files().forEach(HotListFuzz::requireSound);
    requireSame(HotList.decoded(list.encoded()), list);
  }

  private static void mend(byte[] bytes) {
    int length = bytes.length - Integer.BYTES;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    ByteBuffer.wrap(bytes).putInt(length, (int) crc.getValue());
  }

  private static void requireSound(OfFile file) {
    assertThat(file.blocks()).isNotEmpty();
    long before = -1;
    for (HotList.Block block : file.blocks()) {
      assertThat(block.offset()).isBetween(before + 1, HotList.END_OF_OFFSETS - 1);
      assertThat(block.sizeBytes()).isPositive();
      assertThat(block.rank()).isBetween(0, HotList.Block.END_OF_MARKS - 1);
      before = block.offset();
    }
  }

  static void requireSame(HotList one, HotList other) {
    assertThat(one.writtenMillis()).isEqualTo(other.writtenMillis());
    assertThat(one.server()).isEqualTo(other.server());
    assertThat(one.files()).hasSameSizeAs(other.files());
    for (int i = 0; i < one.files().size(); i++) {
      OfFile file = one.files().get(i);
      OfFile same = other.files().get(i);
      assertThat(file.file()).isEqualTo(same.file());
      assertThat(file.blocks()).isEqualTo(same.blocks());
    }
  }
}
