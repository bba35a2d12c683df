// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.terrace.api.BlockTraits;
import dev.terrace.region.format.RegionTable.DamagedRegionException;
import dev.terrace.region.format.Superblock.CacheSecret;
import dev.terrace.region.index.IndexSlot;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Which bytes of a region pass for records, and for tables. */
class RecordWalkTest {

  private static final BlockTraits TRAITS = new BlockTraits(4, BlockTraits.Residency.PROTECTED);
  private static final int REGION_BYTES = 64 << 10;
  private static final int BLOCK = 1000;
  private static final long GENERATION = 1L << 40;

  /** How often the device was opened: just once. */
  private static final long OPENED = 1;

  private static final long FIRST = 7 * GENERATION + 100;
  private static final CacheSecret SECRET = new CacheSecret(1, 2);
  private static final RegionEpoch LIFE = new RegionEpoch(SECRET, 3);
  private static final RegionEpoch EARLIER = new RegionEpoch(SECRET, 4);
  private static final RegionEpoch OTHER_CACHE = new RegionEpoch(new CacheSecret(1, 3), 3);

  private final ByteBuffer region =
      RecordLayout.littleEndian(ByteBuffer.allocate(RegionLayout.footerPosition(REGION_BYTES)));

  private RecordWalk walk() {
    return RecordWalk.of(region, LIFE, FIRST, REGION_BYTES);
  }

  /** Writes a record, and returns where it ends. */
  private int write(int position, RegionEpoch life, long sequence, int number) {
    byte[] name = ("file-" + number).getBytes(StandardCharsets.UTF_8);
    int recordBytes = RecordLayout.recordBytes(name.length, BLOCK);
    int payloadAt = position + RecordLayout.headerBytes(name.length);
    for (int i = 0; i < BLOCK; i++) {
      region.put(payloadAt + i, (byte) (number + i));
    }
    BlockRecord.reserve(region, position, life, recordBytes, sequence);
    int crc = RecordLayout.crc(region, payloadAt, BLOCK);
    RegionTable.Entry entry =
        new RegionTable.Entry(position, BLOCK, "", number, sequence, TRAITS, true);
    BlockRecord.write(region, life, name, entry, crc, 0, 0);
    return position + recordBytes;
  }

  private int write(RegionEpoch life, int records) {
    int position = RegionLayout.FIRST_RECORD;
    for (int i = 0; i < records; i++) {
      position = write(position, life, FIRST + 1 + i, i);
    }
    return position;
  }

  @Test
  void findsWhatWasWritten() {
    int end = write(LIFE, 20);
    RecordWalk walk = walk();
    assertThat(walk.records()).hasSize(20);
    assertThat(walk.damaged()).isEmpty();
    assertThat(walk.stop()).isEqualTo(end);
    assertThat(walk.lastSequence()).isEqualTo(FIRST + 20);
    for (RegionTable.Entry entry : walk.records()) {
      BlockRecord record = BlockRecord.read(region, entry.position(), LIFE, entry.position());
      long offset = entry.offset();
      assertThat(isOf(entry, "file-" + offset, offset, BLOCK)).isTrue();
      assertThat(isOf(entry, "file+" + offset, offset, BLOCK)).isFalse();
      assertThat(isOf(entry, "file-" + offset + 0, offset, BLOCK)).isFalse();
      assertThat(isOf(entry, "file-" + offset, offset + 1, BLOCK)).isFalse();
      assertThat(isOf(entry, "file-" + offset, offset, BLOCK - 1)).isFalse();
      assertThat(record.hasRightPayload(region, entry.position())).isTrue();
    }
  }

  private boolean isOf(RegionTable.Entry entry, String file, long offset, int payloadBytes) {
    return BlockRecord.isOf(region, entry.position(), file, offset, payloadBytes);
  }

  /** A name is compared by its characters, in place or decoded. */
  @Test
  void recordsKnowTheirFiles() {
    for (String name :
        List.of("ascii", "\u00e9t\u00e9", "\u00c3\u00a9t\u00c3\u00a9", "\ud83d\ude00")) {
      byte[] utf8 = BlockRecord.nameOf(name);
      RegionTable.Entry entry = new RegionTable.Entry(64, BLOCK, name, 7, FIRST, TRAITS, true);
      BlockRecord.write(region, LIFE, utf8, entry, 0, 0, 0);
      for (String other :
          List.of("ascii", "\u00e9t\u00e9", "\u00c3\u00a9t\u00c3\u00a9", "\ud83d\ude00")) {
        assertThat(isOf(entry, other, 7, BLOCK))
            .as("%s, %s", name, other)
            .isEqualTo(name.equals(other));
      }
    }
  }

  @Test
  void goesPastRoomThatWasGivenUpOrNeverFilled() {
    int second = write(LIFE, 1);
    int third = write(second, LIFE, FIRST + 2, 1);
    write(third, LIFE, FIRST + 3, 2);
    BlockRecord.giveUp(region, second);
    assertThat(walk().records()).extracting(RegionTable.Entry::offset).containsExactly(0L, 2L);
    assertThat(walk().damaged()).isEmpty();
  }

  @Test
  void stopsAtAnEarlierLife() {
    for (int present = 0; present < 20; present++) {
      write(EARLIER, 20);
      int end = write(LIFE, present);
      assertThat(walk().records()).hasSize(present);
      assertThat(walk().damaged()).isEmpty();
      assertThat(walk().stop()).isEqualTo(end);
    }
  }

  @Test
  void takesNothingOfAnotherCacheOrPosition() {
    write(OTHER_CACHE, 3);
    assertThat(walk().records()).isEmpty();
    int end = write(LIFE, 3);
    int recordBytes = end - RegionLayout.FIRST_RECORD;
    region.put(end, region, RegionLayout.FIRST_RECORD, recordBytes);
    assertThat(walk().records()).hasSize(3);
    assertThat(walk().stop()).isEqualTo(end);
    assertThat(BlockRecord.read(region, end, LIFE, end)).isNull();
  }

  @Test
  void stopsWhereSequencesDoNotRise() {
    int end = write(LIFE, 3);
    for (long sequence : new long[] {FIRST + 3, FIRST + 2, FIRST, 0, -1, Long.MIN_VALUE}) {
      write(end, LIFE, sequence, 9);
      assertThat(walk().records()).as("sequence=%d", sequence).hasSize(3);
    }
    write(end, LIFE, FIRST + 4, 9);
    assertThat(walk().records()).hasSize(4);
  }

  @Test
  void stopsAtASequenceOfAnotherGeneration() {
    int end = write(LIFE, 3);
    for (long sequence : new long[] {8 * GENERATION, 8 * GENERATION + 5, Long.MAX_VALUE}) {
      write(end, LIFE, sequence, 9);
      assertThat(walk().records()).as("sequence=%d", sequence).hasSize(3);
      assertThat(walk().lastSequence()).isEqualTo(FIRST + 3);
    }
    write(end, LIFE, 8 * GENERATION - 1, 9);
    assertThat(walk().records()).hasSize(4);
  }

  @Test
  void damageCostsOneRecordUnlessItIsInTheRoom() {
    write(LIFE, 5);
    int recordBytes = RecordLayout.recordBytes(6, BLOCK);
    int third = RegionLayout.FIRST_RECORD + 2 * recordBytes;
    for (int at = 0; at < RecordLayout.NAME + 6; at++) {
      region.put(third + at, (byte) (region.get(third + at) ^ 4));
      RecordWalk walk = walk();
      boolean inRoom =
          (at >= RecordLayout.ROOM_BYTES && at < RecordLayout.RECORD_CHECK)
              || (at >= RecordLayout.SEQUENCE && at < RecordLayout.OFFSET);
      assertThat(walk.records()).as("byte %d", at).hasSize(inRoom ? 2 : 4);
      if (inRoom) {
        assertThat(walk.stop()).isEqualTo(third);
        assertThat(walk.roomAfterStop(region, LIFE)).isEqualTo(third + recordBytes);
      } else {
        assertThat(walk.damaged()).containsExactly(third);
      }
      region.put(third + at, (byte) (region.get(third + at) ^ 4));
    }
  }

  @Test
  void anyBytesAreRecordsOfTheRegionOrNone() {
    SplittableRandom random = new SplittableRandom(1);
    byte[] good = new byte[region.limit()];
    write(LIFE, 40);
    region.get(0, good);
    for (int round = 0; round < 20_000; round++) {
      region.put(0, good);
      for (int changes = random.nextInt(6); changes >= 0; changes--) {
        int record = RegionLayout.FIRST_RECORD + random.nextInt(40) * 1088;
        region.put(record + random.nextInt(72), (byte) random.nextInt());
      }
      assertInside(walk());
    }
    byte[] noise = new byte[region.limit()];
    for (int round = 0; round < 100; round++) {
      random.nextBytes(noise);
      region.put(0, noise);
      assertThat(walk().records()).isEmpty();
    }
  }

  /** The checks are right, and the fields anything: only a defect of the writer makes that. */
  @Test
  void anyFieldsWithRightChecksAreRecordsOfTheRegionOrNone() {
    SplittableRandom random = new SplittableRandom(2);
    int found = 0;
    for (int round = 0; round < 100_000; round++) {
      int end = write(LIFE, 2);
      int at = random.nextInt(4) == 0 ? region.limit() - 64 - random.nextInt(2) * 64 : end;
      int room = random.nextBoolean() ? 1088 : any(random);
      BlockRecord.reserve(region, end, LIFE, room, FIRST + 3);
      write(end, LIFE, FIRST + 3, 7);
      int field = RecordLayout.OFFSET + random.nextInt(6) * 4;
      region.putInt(end + field, any(random));
      BlockRecord.reserve(region, end, LIFE, room, FIRST + 3);
      int nameBytes = region.getShort(end + RecordLayout.NAME_BYTES);
      if (nameBytes > 0 && nameBytes < 10_000) {
        region.putLong(
            end + RecordLayout.RECORD_CHECK,
            LIFE.check(
                RegionEpoch.Part.RECORD,
                end,
                region,
                end + RecordLayout.SEQUENCE,
                end + RecordLayout.NAME + nameBytes));
      }
      region.putInt(end, RecordLayout.MAGIC);
      RecordWalk walk = walk();
      assertInside(walk);
      found += walk.records().size() - 2;
      assertThat(BlockRecord.roomBytes(region, at, LIFE)).isBetween(0, region.limit() - at);
    }
    assertThat(found).isBetween(1, 99_999);
  }

  private static int any(SplittableRandom random) {
    int[] edges = {0, 1, -1, 63, 64, 512, 513, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 16};
    return random.nextBoolean() ? edges[random.nextInt(edges.length)] : random.nextInt();
  }

  private void assertInside(RecordWalk walk) {
    for (RegionTable.Entry entry : walk.records()) {
      int nameBytes = RecordLayout.utf8Bytes(entry.file());
      int end = entry.position() + RecordLayout.recordBytes(nameBytes, entry.payloadBytes());
      assertThat(end).isLessThanOrEqualTo(region.limit());
      BlockAddress.of(0, entry.position(), entry.payloadBytes());
      IndexSlot.key(entry.offset());
    }
    assertThat(walk.stop()).isLessThanOrEqualTo(region.limit());
    assertThat(walk.roomAfterStop(region, LIFE)).isLessThan(region.limit());
  }

  /** The check of a footer is right, and its numbers anything. */
  @Test
  void anyNumbersOfAFooterAreATableOrDamage() throws DamagedRegionException {
    SplittableRandom random = new SplittableRandom(3);
    ByteBuffer table = RecordLayout.littleEndian(ByteBuffer.allocate(REGION_BYTES));
    int fitting = 0;
    for (int round = 0; round < 100_000; round++) {
      int tableBytes = random.nextInt(3) == 0 ? any(random) : random.nextInt(4000);
      int records = random.nextBoolean() ? any(random) : random.nextInt(100);
      int files = random.nextBoolean() ? any(random) : random.nextInt(10);
      int length = Math.max(0, Math.min(REGION_BYTES, tableBytes));
      int start = RegionLayout.footerPosition(REGION_BYTES) - tableBytes;
      long check = LIFE.check(RegionEpoch.Part.TABLE, start, table, 0, length);
      RegionLayout.Footer footer =
          new RegionLayout.Footer(
              0, LIFE, GENERATION, GENERATION + 1, 0, records, files, tableBytes, check, 0, 0);
      if (!footer.fits(REGION_BYTES, OPENED)) {
        continue;
      }
      fitting++;
      ByteBuffer read = table.duplicate().order(table.order()).position(0).limit(tableBytes);
      if (records == 0 && files == 0) {
        assertThat(RegionTable.read(read, footer, REGION_BYTES).entries()).isEqualTo(List.of());
      } else {
        assertThatExceptionOfType(DamagedRegionException.class)
            .isThrownBy(() -> RegionTable.read(read, footer, REGION_BYTES));
      }
    }
    assertThat(fitting).isBetween(1000, 99_000);
  }

  @Test
  void headersAndFootersAreOfOneCacheAndRegionAndItsPast() {
    RegionLayout.Header header = new RegionLayout.Header(5, LIFE, GENERATION + 1, 0);
    RegionLayout.Footer footer =
        new RegionLayout.Footer(5, LIFE, GENERATION + 1, GENERATION + 9, 0, 0, 0, 0, 0, 0, 0);
    header.write(region);
    assertThat(RegionLayout.Header.read(region, SECRET, 5)).isEqualTo(header);
    assertThat(RegionLayout.Header.read(region, SECRET, 6)).isNull();
    assertThat(RegionLayout.Header.read(region, OTHER_CACHE.secret(), 5)).isNull();
    assertThat(RegionLayout.Footer.read(region, SECRET, 5)).isNull();
    footer.write(region);
    assertThat(RegionLayout.Footer.read(region, SECRET, 5)).isEqualTo(footer);
    assertThat(RegionLayout.Footer.read(region, SECRET, 6)).isNull();
    assertThat(RegionLayout.Footer.read(region, OTHER_CACHE.secret(), 5)).isNull();
    assertThat(header.fits(OPENED)).isTrue();
    assertThat(footer.fits(REGION_BYTES, OPENED)).isTrue();
    long later = (OPENED + 1) * GENERATION;
    assertThat(new RegionLayout.Header(5, LIFE, later, 0).fits(OPENED)).isFalse();
    assertThat(
            new RegionLayout.Footer(5, LIFE, later, later + 1, 0, 0, 0, 0, 0, 0, 0)
                .fits(REGION_BYTES, OPENED))
        .isFalse();
  }
}
