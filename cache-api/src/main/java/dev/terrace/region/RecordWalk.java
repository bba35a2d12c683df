/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The records that lie in a region one behind the other, up to the first that is none: what is to
 * be had from a region without its table.
 *
 * @param records the whole records, in their order
 * @param end where the last of them ends
 * @param stop where the walk ended, behind room that was reserved and not filled
 * @param lastSequence the largest sequence of a record; the region's first one if there is none
 */
record RecordWalk(List<RegionTable.Entry> records, int end, int stop, long lastSequence) {

  /**
   * Walks from record to record.
   *
   * @param bytes the region without its footer, little-endian
   * @param firstSequence records of the region's present life have larger sequences
   */
  static RecordWalk of(ByteBuffer bytes, long firstSequence, int regionBytes) {
    List<RegionTable.Entry> records = new ArrayList<>();
    int position = RegionLayout.FIRST_RECORD;
    int end = position;
    long lastSequence = firstSequence;
    int step = 1;
    while (step > 0) {
      step = BlockRecord.reservedBytes(bytes, position);
      BlockRecord record = step > 0 ? null : BlockRecord.read(bytes, position);
      if (record != null && record.sequence() > firstSequence && isSane(record, regionBytes)) {
        records.add(entry(position, record));
        lastSequence = Math.max(lastSequence, record.sequence());
        step = record.recordBytes();
        end = position + step;
      }
      position += step;
    }
    return new RecordWalk(records, end, position, lastSequence);
  }

  private static boolean isSane(BlockRecord record, int regionBytes) {
    return record.offset() >= 0
        && record.offset() <= RegionIndex.MAX_OFFSET
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

  /**
   * Where a record of the same life lies behind the end of the walk: then something in between was
   * damaged, for records are written without gaps and with rising sequences.
   *
   * @return its position, or -1 if there is none
   */
  int laterRecord(ByteBuffer bytes) {
    int alignment = BlockAddress.RECORD_ALIGNMENT;
    for (int at = stop + alignment; at <= bytes.limit() - RecordLayout.NAME; at += alignment) {
      BlockRecord record = BlockRecord.read(bytes, at);
      if (record != null && record.sequence() > lastSequence) {
        return at;
      }
    }
    return -1;
  }

  /**
   * Whether a record of the same life begins where the walk ended, but for some bytes of its header
   * that were damaged.
   *
   * @param bytes a copy of the region that nobody else uses
   */
  boolean endsAtDamagedHeader(ByteBuffer bytes) {
    if (stop > bytes.limit() - RecordLayout.NAME) {
      return false;
    }
    int magic = bytes.getInt(stop);
    if (magic == RecordLayout.MAGIC) {
      return BlockRecord.read(bytes, stop) == null;
    }
    if (magic == RecordLayout.RESERVED) {
      return false;
    }
    bytes.putInt(stop, RecordLayout.MAGIC);
    BlockRecord record = BlockRecord.read(bytes, stop);
    bytes.putInt(stop, magic);
    return record != null && record.sequence() > lastSequence;
  }
}
