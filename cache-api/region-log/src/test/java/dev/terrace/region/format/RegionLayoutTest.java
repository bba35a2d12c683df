// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.terrace.region.format.Superblock.CacheSecret;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RegionLayoutTest {

  private static final CacheSecret SECRET = new CacheSecret(1, 2);

  private final ByteBuffer bytes = RecordLayout.littleEndian(ByteBuffer.allocate(256));

  private static RegionLayout.Header header(long life) {
    return new RegionLayout.Header(3, new RegionEpoch(SECRET, life), 10 * life, 20 * life);
  }

  private static RegionLayout.Footer footer(long life) {
    return new RegionLayout.Footer(
        3,
        new RegionEpoch(SECRET, life),
        10 * life,
        10 * life + 5,
        30 * life,
        5,
        2,
        200,
        77,
        600,
        900);
  }

  /** The first bytes; a store behind them ends whoever makes it. */
  private ByteBuffer limited(int length) {
    return RecordLayout.littleEndian(bytes.duplicate().limit(length));
  }

  private static void assertStops(Runnable write) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(write::run);
  }

  @Test
  void areReadAsTheyWereWritten() {
    header(7).write(bytes);
    assertThat(RegionLayout.Header.read(bytes, SECRET, 3)).isEqualTo(header(7));
    footer(7).write(bytes);
    assertThat(RegionLayout.Footer.read(bytes, SECRET, 3)).isEqualTo(footer(7));
  }

  /** So a process that is killed leaves no damage. */
  @Test
  void isAbsentWhenAWriteStopsMidway() {
    for (int length = Long.BYTES; length < RegionLayout.HEADER_BYTES; length += Long.BYTES) {
      ByteBuffer target = limited(length);
      header(1).write(bytes);
      assertStops(() -> header(2).write(target));
      assertThat(RegionLayout.isAbsent(bytes)).as("header cut off after %d", length).isTrue();
    }
    for (int length = Long.BYTES; length < RegionLayout.FOOTER_BYTES; length += Long.BYTES) {
      ByteBuffer target = limited(length);
      footer(1).write(bytes);
      assertStops(() -> footer(2).write(target));
      assertThat(RegionLayout.isAbsent(bytes)).as("footer cut off after %d", length).isTrue();
      footer(1).write(bytes);
      assertStops(() -> RegionLayout.eraseFooter(target));
      assertThat(RegionLayout.isAbsent(bytes)).as("erased up to %d", length).isTrue();
    }
  }
}
