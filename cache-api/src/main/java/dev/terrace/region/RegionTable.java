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

import dev.terrace.api.BlockTraits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The table at the end of a sealed region: which blocks it holds, and where. It is what a restart
 * and a reclaim read instead of the records.
 *
 * <pre>
 *   entry (32 bytes), in the order in which the records were completed
 *     0 position in the region / 64 (4)   4 payload bytes (4)   8 offset in the file (8)
 *     16 sequence (8)   24 number of the file (4)   28 traits (1)   29 format is 0: 1, else 0 (1)
 *     30 zero (2)
 *   names, for each file from number 0
 *     0 bytes (2)   2 UTF-8
 * </pre>
 *
 * @param entries the records
 */
record RegionTable(List<Entry> entries) {

  static final int ENTRY_BYTES = 32;
  private static final int NAME_PREFIX_BYTES = 2;

  /**
   * One record of the table.
   *
   * @param isDurable whether the block means the same to every process
   */
  record Entry(
      int position,
      int payloadBytes,
      String file,
      long offset,
      long sequence,
      BlockTraits traits,
      boolean isDurable) {}

  /** The bytes that a file's name adds. */
  static int nameBytes(int utf8Bytes) {
    return NAME_PREFIX_BYTES + utf8Bytes;
  }

  /**
   * Writes the table.
   *
   * @param target little-endian; the table begins at its position, which is advanced
   * @param names the names of the files in the order of their numbers
   * @param numbers the number of each
   */
  void write(ByteBuffer target, List<String> names, Map<String, Integer> numbers) {
    for (Entry entry : entries) {
      target.putInt(entry.position / BlockAddress.RECORD_ALIGNMENT);
      target.putInt(entry.payloadBytes);
      target.putLong(entry.offset);
      target.putLong(entry.sequence);
      target.putInt(numbers.get(entry.file));
      target.put(RecordLayout.pack(entry.traits));
      target.put((byte) (entry.isDurable ? 1 : 0));
      target.putShort((short) 0);
    }
    for (String name : names) {
      byte[] utf8 = BlockRecord.nameOf(name);
      target.putShort((short) utf8.length);
      target.put(utf8);
    }
  }

  /**
   * Reads a table whose checksum was found right.
   *
   * @param source little-endian; the whole table
   * @throws DamagedRegionException if it contradicts itself or the region
   */
  static RegionTable read(ByteBuffer source, int records, int files, int regionBytes)
      throws DamagedRegionException {
    if ((long) records * ENTRY_BYTES + (long) files * NAME_PREFIX_BYTES > source.limit()) {
      throw new DamagedRegionException(
          "table bytes=" + source.limit() + " are too few, records=" + records + " files=" + files);
    }
    String[] names = readNames(source, records * ENTRY_BYTES, files);
    List<Entry> entries = new ArrayList<>(records);
    for (int i = 0; i < records; i++) {
      entries.add(readEntry(source, i * ENTRY_BYTES, names, regionBytes));
    }
    return new RegionTable(entries);
  }

  private static String[] readNames(ByteBuffer source, int position, int files)
      throws DamagedRegionException {
    String[] names = new String[files];
    int at = position;
    for (int i = 0; i < files; i++) {
      if (at + NAME_PREFIX_BYTES > source.limit()) {
        throw new DamagedRegionException("table ends before the name of file=" + i);
      }
      int bytes = source.getShort(at);
      at += NAME_PREFIX_BYTES;
      if (bytes <= 0 || bytes > RecordLayout.MAX_NAME_BYTES || at + bytes > source.limit()) {
        throw new DamagedRegionException("table has a name of bytes=" + bytes + " at=" + at);
      }
      byte[] utf8 = new byte[bytes];
      source.get(at, utf8);
      names[i] = new String(utf8, StandardCharsets.UTF_8);
      if (!Arrays.equals(utf8, BlockRecord.nameOf(names[i]))) {
        throw new DamagedRegionException("table has a name that is not UTF-8 at=" + at);
      }
      at += bytes;
    }
    return names;
  }

  private static Entry readEntry(ByteBuffer source, int at, String[] names, int regionBytes)
      throws DamagedRegionException {
    long position = Integer.toUnsignedLong(source.getInt(at)) * BlockAddress.RECORD_ALIGNMENT;
    int payloadBytes = source.getInt(at + 4);
    long offset = source.getLong(at + 8);
    int file = source.getInt(at + 24);
    if (file < 0 || file >= names.length) {
      throw new DamagedRegionException("table names file=" + file + " of files=" + names.length);
    }
    boolean fits =
        position >= RegionLayout.FIRST_RECORD
            && payloadBytes > 0
            && payloadBytes <= RegionLayout.largestPayloadBytes(regionBytes)
            && position
                    + RecordLayout.recordBytes(RecordLayout.utf8Bytes(names[file]), payloadBytes)
                <= RegionLayout.footerPosition(regionBytes);
    if (!fits || offset < 0 || offset > RegionIndex.MAX_OFFSET) {
      throw new DamagedRegionException(
          "table has a record at=" + position + " bytes=" + payloadBytes + " offset=" + offset);
    }
    return new Entry(
        (int) position,
        payloadBytes,
        names[file],
        offset,
        source.getLong(at + 16),
        RecordLayout.traits(source.get(at + 28)),
        source.get(at + 29) == 1);
  }
}
