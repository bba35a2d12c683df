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

import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionLife;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.format.Sequence;
import dev.terrace.region.memory.WriteBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The writing end of a region: hands out room for records, and seals the region with its table when
 * all of them are written.
 *
 * <p>Room is handed out under a lock, and filled outside of it by many threads at once. The thread
 * that finishes last after {@link #end} hands the region on.
 */
final class OpenRegion {

  private final Region region;
  private final WriteBuffer buffer;
  private final int limit;
  private final Consumer<OpenRegion> whenFilled;
  private final List<RegionTable.Entry> entries = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private int position = RegionLayout.FIRST_RECORD;
  private int promisedTableBytes;
  private int writers;
  private boolean ended;

  /**
   * A region without records.
   *
   * @param whenFilled gets the region when it has ended and the last record is written or given up
   */
  OpenRegion(Region region, WriteBuffer buffer, int regionBytes, Consumer<OpenRegion> whenFilled) {
    this.region = region;
    this.buffer = buffer;
    this.limit = RegionLayout.footerPosition(regionBytes);
    this.whenFilled = whenFilled;
  }

  /** A region that a crash left open, with the records that were found in it. */
  static OpenRegion recovered(
      Region region,
      WriteBuffer buffer,
      int regionBytes,
      List<RegionTable.Entry> records,
      int end) {
    OpenRegion open = new OpenRegion(region, buffer, regionBytes, filled -> {});
    for (RegionTable.Entry entry : records) {
      if (open.numbers.putIfAbsent(entry.file(), open.names.size()) == null) {
        open.names.add(entry.file());
      }
    }
    open.entries.addAll(records);
    open.position = end;
    open.ended = true;
    return open;
  }

  Region region() {
    return region;
  }

  ByteBuffer bytes() {
    return buffer.bytes();
  }

  WriteBuffer buffer() {
    return buffer;
  }

  /**
   * Room for a record.
   *
   * @return null if there is not enough
   */
  synchronized Room reserve(
      String file, int nameBytes, int recordBytes, Sequence sequence, LongSupplier nanoTime) {
    int forTable = RegionTable.ENTRY_BYTES;
    if (!numbers.containsKey(file)) {
      forTable += RegionTable.promisedFileBytes(nameBytes);
    }
    if (ended || position + recordBytes > limit - promisedTableBytes - forTable) {
      return null;
    }
    if (numbers.putIfAbsent(file, names.size()) == null) {
      names.add(file);
    }
    promisedTableBytes += forTable;
    Room room = new Room(this, position, recordBytes, sequence.next());
    region.lastPut(room.sequence(), nanoTime.getAsLong());
    BlockRecord.reserve(bytes(), position, region.life(), recordBytes, room.sequence());
    position += recordBytes;
    writers++;
    return room;
  }

  /** Takes a record into the table. */
  void complete(RegionTable.Entry entry) {
    boolean filled;
    synchronized (this) {
      entries.add(entry);
      filled = leave();
    }
    if (filled) {
      whenFilled.accept(this);
    }
  }

  /** Leaves a record's room empty. */
  void abandon(Room room) {
    boolean filled;
    synchronized (this) {
      BlockRecord.giveUp(bytes(), room.position());
      if (!ended && room.position() + room.recordBytes() == position) {
        position = room.position();
      }
      promisedTableBytes -= RegionTable.ENTRY_BYTES;
      filled = leave();
    }
    if (filled) {
      whenFilled.accept(this);
    }
  }

  /** Counts a writer out; under the lock. True for the last one of a region that has ended. */
  private boolean leave() {
    return --writers == 0 && ended;
  }

  /**
   * Hands out no more room.
   *
   * @return whether the region is to be flushed by the caller; false also when it had ended before
   */
  synchronized boolean end() {
    boolean first = !ended;
    ended = true;
    return first && writers == 0;
  }

  /** Whether nothing was ever written here. */
  synchronized boolean isEmpty() {
    return entries.isEmpty() && writers == 0;
  }

  /** Where the next record would start. */
  synchronized int position() {
    return position;
  }

  /** The records whose writing is complete. */
  synchronized List<RegionTable.Entry> completed() {
    return List.copyOf(entries);
  }

  /**
   * Writes the table, and returns the footer that is to be written when the table is durable. To be
   * called when the last record is written.
   *
   * @param origins is asked where the files belong
   * @return the footer, and where the table begins
   */
  RegionLayout.Seal writeTable(long sealedMillis, FileOrigins origins) {
    Map<String, String> known = new HashMap<>();
    for (String name : files()) {
      known.put(name, origins.originOf(name));
    }
    return writeTable(sealedMillis, known);
  }

  private synchronized List<String> files() {
    return List.copyOf(names);
  }

  private synchronized RegionLayout.Seal writeTable(long sealedMillis, Map<String, String> known) {
    int tableBytes = entries.size() * RegionTable.ENTRY_BYTES;
    for (String name : names) {
      tableBytes += RegionTable.fileBytes(RecordLayout.utf8Bytes(name), 0);
    }
    Map<String, String> origins = new HashMap<>();
    tableBytes += choose(known, origins, true, limit - position - tableBytes);
    tableBytes += choose(known, origins, false, limit - position - tableBytes);
    int start = limit - tableBytes;
    ByteBuffer table = RecordLayout.littleEndian(bytes().slice(start, tableBytes));
    new RegionTable(entries, origins).write(table, names, numbers);
    RegionLayout.Footer footer =
        new RegionLayout.Footer(
            region.slot,
            region.life(),
            region.firstSequence(),
            region.lastSequence(),
            sealedMillis,
            entries.size(),
            names.size(),
            tableBytes,
            region.life().check(RegionLife.Part.TABLE, start, bytes(), start, limit));
    return new RegionLayout.Seal(footer, position, start);
  }

  /**
   * Takes the origins for which there is room: first those whose room was kept, then the others.
   *
   * @return the bytes that they take
   */
  private static int choose(
      Map<String, String> known, Map<String, String> chosen, boolean kept, int roomBytes) {
    int taken = 0;
    for (Map.Entry<String, String> each : known.entrySet()) {
      int bytes = RecordLayout.utf8Bytes(each.getValue());
      if (bytes <= RegionTable.ORIGIN_ROOM_BYTES == kept && bytes <= roomBytes - taken) {
        chosen.put(each.getKey(), each.getValue());
        taken += bytes;
      }
    }
    return taken;
  }
}
