// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.format.Superblock.CacheSecret;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Reading of evictions whose bytes were changed. The first byte of an input tells whether magic,
 * length and check are mended; the others are the list.
 */
public final class TombstoneListFuzz {

  private static final CacheSecret SECRET = new CacheSecret(3, 4);

  private TombstoneListFuzz() {}

  /** Reads a list, and writes it again if it is one. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    ByteBuffer bytes =
        RecordLayout.littleEndian(ByteBuffer.allocate(input.length - 1))
            .put(input, 1, input.length - 1)
            .flip();
    if ((input[0] & 1) != 0 && bytes.remaining() >= TombstoneList.HEADER_BYTES) {
      mend(bytes);
    }
    Optional<TombstoneList> list = TombstoneList.decode(bytes, SECRET);
    list.ifPresent(
        found -> {
          assertThat(found.evictions()).hasSize(bytes.getInt(16));
          assertThat(TombstoneList.decode(found.encode(SECRET), SECRET)).contains(found);
        });
    TombstoneLog log = TombstoneLog.read(1, bytes, SECRET);
    if (list.isPresent() && list.get().number() > 0) {
      assertThat(log.lastNumber()).isEqualTo(list.get().number());
      assertThat(log.evictions()).isEqualTo(list.get().evictions());
    }
  }

  private static void mend(ByteBuffer bytes) {
    int length = bytes.remaining() - TombstoneList.HEADER_BYTES;
    ByteBuffer valid = new TombstoneList(1, List.of()).encode(SECRET);
    bytes.putLong(0, valid.getLong(0)).putInt(20, length);
    long check =
        new RegionEpoch(SECRET, bytes.getLong(8))
            .check(
                RegionEpoch.Part.EVICTIONS,
                bytes.getInt(16),
                bytes,
                TombstoneList.HEADER_BYTES,
                bytes.limit());
    bytes.putLong(24, check);
  }
}
