// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.BlockTraits;
import dev.terrace.region.index.IndexSlot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tables whose checksum is right, and whose contents may be anything. */
class RegionTableTest {

  private static final BlockTraits TRAITS = new BlockTraits(4, BlockTraits.Residency.PROTECTED);
  private static final int REGION_BYTES = 64 << 10;
  private static final List<RegionTable.Entry> ENTRIES =
      List.of(
          new RegionTable.Entry(64, 100, "one", 0, 5, TRAITS, true),
          new RegionTable.Entry(256, 1, "zwei-\u00e4", 1L << 40, 6, TRAITS, false),
          new RegionTable.Entry(1024, 32 << 10, "one", 77, 9, TRAITS, true));
  private static final int TABLE_BYTES =
      3 * RegionTable.ENTRY_BYTES + RegionTable.fileBytes(3, 0) + RegionTable.fileBytes(7, 9);
  private static final Map<String, String> ORIGINS = Map.of("zwei-\u00e4", "at home\u00e4");

  private static ByteBuffer table() {
    ByteBuffer table = RecordLayout.littleEndian(ByteBuffer.allocate(TABLE_BYTES));
    Map<String, Integer> numbers = new LinkedHashMap<>();
    numbers.put("one", 0);
    numbers.put("zwei-\u00e4", 1);
    new RegionTable(ENTRIES, ORIGINS).write(table, numbers);
    assertThat(table.hasRemaining()).isFalse();
    return table;
  }

  private static RegionTable read(ByteBuffer table) throws IOException {
    return RegionTable.read(table, 3, 2, REGION_BYTES);
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    assertThat(read(table()).entries()).isEqualTo(ENTRIES);
    assertThat(read(table()).origins()).isEqualTo(ORIGINS);
  }

  @Test
  void contradictionsAreErrors() {
    assertRefused(table().putInt(0, 0), "position=0 lies in the header");
    assertRefused(table().putInt(0, -1), "a position beyond the region");
    assertRefused(table().putInt(4, 0), "an empty payload");
    assertRefused(table().putInt(4, -1), "a negative payload");
    assertRefused(table().putInt(4, REGION_BYTES / 2 + 1), "a payload that is too large");
    assertRefused(table().putInt(0, REGION_BYTES / 64 - 3), "a record that ends in the footer");
    assertRefused(table().putLong(8, -1), "a negative offset");
    assertRefused(table().putLong(8, Long.MAX_VALUE), "an offset that is too large");
    assertRefused(table().putInt(24, 2), "an unknown file");
    assertRefused(table().putInt(24, -1), "a negative file");
    int names = 3 * RegionTable.ENTRY_BYTES;
    assertRefused(table().putShort(names, (short) 0), "an empty name");
    assertRefused(table().putShort(names, (short) -1), "a name of negative length");
    assertRefused(table().putShort(names, (short) 500), "a name beyond the table");
    assertRefused(table().put(names + 2, (byte) 0xFF), "a name that is not UTF-8");
    int origin = names + RegionTable.fileBytes(3, 0) - 2;
    assertRefused(table().putShort(origin, (short) -1), "an origin of negative length");
    assertRefused(table().putShort(origin, (short) 500), "an origin beyond the table");
    assertRefused(table().put(TABLE_BYTES - 1, (byte) 0xFF), "an origin that is not UTF-8");
  }

  private static void assertRefused(ByteBuffer table, String why) {
    assertThatThrownBy(() -> read(table)).as(why).isInstanceOf(IOException.class);
  }

  @Test
  void numbersThatDoNotFitAreErrors() {
    int[][] numbers = {{4, 2}, {3, 3}, {Integer.MAX_VALUE, 2}, {3, Integer.MAX_VALUE}};
    for (int[] pair : numbers) {
      assertThatThrownBy(() -> RegionTable.read(table(), pair[0], pair[1], REGION_BYTES))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void anyBytesAreATableOrAnErrorAndATableNamesRecordsOfTheRegion() {
    SplittableRandom random = new SplittableRandom(1);
    int read = 0;
    for (int i = 0; i < 200_000; i++) {
      ByteBuffer table = table();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        table.put(random.nextInt(TABLE_BYTES), (byte) random.nextInt());
      }
      try {
        for (RegionTable.Entry entry : read(table).entries()) {
          int end = entry.position() + RecordLayout.recordBytes(utf8(entry), entry.payloadBytes());
          assertThat(end).isLessThanOrEqualTo(RegionLayout.footerPosition(REGION_BYTES));
          BlockAddress.of(0, entry.position(), entry.payloadBytes());
          IndexSlot.key(entry.offset());
        }
        read++;
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("table");
      }
    }
    assertThat(read).isBetween(1, 199_999);
  }

  private static int utf8(RegionTable.Entry entry) {
    return RecordLayout.utf8Bytes(entry.file());
  }
}
