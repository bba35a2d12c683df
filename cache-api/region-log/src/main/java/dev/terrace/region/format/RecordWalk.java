// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of a region, found without its table, in the order of their positions. The walk goes
 * from room to room, up to the first byte that is not of the region's current life.
 *
 * @param records the intact records, in that order
 * @param damaged the positions of rooms whose record is damaged
 * @param stop where the walk ended
 * @param lastSequence the largest sequence of a room; the region's first one if there is none
 */
public record RecordWalk(
    List<RegionTable.Entry> records, List<Integer> damaged, int stop, long lastSequence) {

  /**
   * Walks from room to room.
   *
   * @param bytes the region without its footer, little-endian
   * @param life the region's current one
   * @param firstSequence the first sequence of the life
   */
  public static RecordWalk of(
      ByteBuffer bytes, RegionEpoch life, long firstSequence, int regionBytes) {
    List<RegionTable.Entry> records = new ArrayList<>();
    List<Integer> damaged = new ArrayList<>();
    int position = RegionLayout.FIRST_RECORD;
    long last = firstSequence;
    while (true) {
      int room = BlockRecord.roomBytes(bytes, position, life);
      if (room == 0 || !isNext(sequence(bytes, position), last)) {
        return new RecordWalk(records, damaged, position, last);
      }
      last = sequence(bytes, position);
      BlockRecord record = BlockRecord.read(bytes, position, life, position);
      if (record != null
          && isSane(record, room, regionBytes)
          && record.hasRightPayload(bytes, position)) {
        records.add(entry(position, record));
      } else if (bytes.getInt(position) != RecordLayout.RESERVED) {
        damaged.add(position);
      }
      position += room;
    }
  }

  public static long sequence(ByteBuffer bytes, int position) {
    return bytes.getLong(position + RecordLayout.SEQUENCE);
  }

  /**
   * Whether a sequence may follow another one in a region. Sequences rise, and those of a region
   * share one generation. A room with a smaller sequence may be left over from space that was given
   * up and overwritten.
   */
  public static boolean isNext(long sequence, long last) {
    return sequence > last && Sequence.generation(sequence) == Sequence.generation(last);
  }

  /**
   * Finds a room of the same life after the end of the walk. Such a room proves damage in between,
   * because rooms follow one another without gaps and with rising sequences.
   *
   * @return its position, or -1 if there is none
   */
  public int roomAfterStop(ByteBuffer bytes, RegionEpoch life) {
    int alignment = BlockAddress.RECORD_ALIGNMENT;
    int last = bytes.limit() - RecordLayout.NAME;
    for (int at = stop + alignment; at <= last; at += alignment) {
      if (BlockRecord.roomBytes(bytes, at, life) > 0 && isNext(sequence(bytes, at), lastSequence)) {
        return at;
      }
    }
    return -1;
  }

  private static boolean isSane(BlockRecord record, int room, int regionBytes) {
    return record.recordBytes() == room
        && RecordLayout.isOffset(record.offset())
        && record.payloadBytes() <= RegionLayout.largestPayloadBytes(regionBytes);
  }

  private static RegionTable.Entry entry(int position, BlockRecord record) {
    return new RegionTable.Entry(
        position,
        record.payloadBytes(),
        record.file(),
        record.offset(),
        record.sequence(),
        record.traits(),
        record.format() == 0);
  }
}
