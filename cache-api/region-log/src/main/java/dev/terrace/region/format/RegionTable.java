// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import dev.terrace.api.BlockTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The table at the end of a sealed region: its blocks and their positions. A restart and a reclaim
 * read it instead of the records.
 *
 * <pre>
 *   entry (32 bytes), in the order in which the records were completed
 *     0 position in the region / 64 (4)   4 payload bytes (4)   8 offset in the file (8)
 *     16 sequence (8)   24 number of the file (4)   28 traits (1)   29 format is 0: 1, else 0 (1)
 *     30 zero (2)
 *   files, each from number 0
 *     0 bytes of the name (2)   2 name, UTF-8
 *     then bytes of the origin (2), and origin, UTF-8
 * </pre>
 *
 * @param entries the records
 * @param origins the origins of files by name; unknown ones are absent
 */
public record RegionTable(List<Entry> entries, Map<String, String> origins) {

  public static final RegionTable EMPTY = new RegionTable(List.of(), Map.of());
  public static final int ENTRY_BYTES = 32;

  /** Room kept for an origin until it is known: enough for the names of most regions and tables. */
  public static final int ORIGIN_ROOM_BYTES = 128;

  /** Most bytes of an origin in UTF-8. */
  public static final int MAX_ORIGIN_BYTES = 1024;

  private static final int LENGTH_BYTES = 2;

  /** One record of the table. Other processes can decode a durable block. */
  public record Entry(
      int position,
      int payloadBytes,
      String file,
      long offset,
      long sequence,
      BlockTraits traits,
      boolean isDurable) {

    public long address(int region) {
      return BlockAddress.of(region, position, payloadBytes);
    }
  }

  /** The bytes that a file adds to the table, given the sizes of its name and origin. */
  public static int fileBytes(int nameUtf8Bytes, int originUtf8Bytes) {
    return LENGTH_BYTES + nameUtf8Bytes + LENGTH_BYTES + originUtf8Bytes;
  }

  /**
   * Writes the table.
   *
   * @param target little-endian; the table begins at its position, which is advanced
   * @param numbers the number of each file, by its name, in the order of the numbers
   */
  public void write(ByteBuffer target, Map<String, Integer> numbers) {
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
    for (String name : numbers.keySet()) {
      write(target, name);
      write(target, origins.getOrDefault(name, ""));
    }
  }

  private static void write(ByteBuffer target, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    target.putShort((short) utf8.length);
    target.put(utf8);
  }

  /**
   * Reads a table.
   *
   * @param source little-endian; the whole table
   * @param footer the footer behind it
   * @throws DamagedRegionException if it is not the one that was written with the footer
   */
  public static RegionTable read(ByteBuffer source, RegionLayout.Footer footer, int regionBytes)
      throws DamagedRegionException {
    int tableBytes = footer.tableBytes();
    int start = RegionLayout.footerPosition(regionBytes) - tableBytes;
    long check = footer.life().check(RegionEpoch.Part.TABLE, start, source, 0, tableBytes);
    if (check != footer.tableCheck()) {
      throw new DamagedRegionException(
          "corrupt table: records=" + footer.records() + " region=" + footer.region());
    }
    return read(source, footer.records(), footer.files(), regionBytes);
  }

  /**
   * Reads a table whose check has been verified.
   *
   * @param source little-endian; the whole table
   * @throws DamagedRegionException if it contradicts itself or the region
   */
  public static RegionTable read(ByteBuffer source, int records, int files, int regionBytes)
      throws DamagedRegionException {
    if ((long) records * ENTRY_BYTES + (long) files * fileBytes(1, 0) > source.limit()) {
      throw new DamagedRegionException(
          "table bytes=" + source.limit() + " are too few, records=" + records + " files=" + files);
    }
    String[] names = new String[files];
    Map<String, String> origins = readFiles(source.position(records * ENTRY_BYTES), names);
    List<Entry> entries = new ArrayList<>(records);
    for (int i = 0; i < records; i++) {
      entries.add(readEntry(source, i * ENTRY_BYTES, names, regionBytes));
    }
    return new RegionTable(entries, origins);
  }

  /** Reads the files, and returns their origins. */
  private static Map<String, String> readFiles(ByteBuffer source, String[] names)
      throws DamagedRegionException {
    Map<String, String> origins = new HashMap<>();
    for (int i = 0; i < names.length; i++) {
      names[i] = readText(source, 1, RecordLayout.MAX_NAME_BYTES);
      String origin = readText(source, 0, MAX_ORIGIN_BYTES);
      if (!origin.isEmpty()) {
        origins.put(names[i], origin);
      }
    }
    return origins;
  }

  private static String readText(ByteBuffer source, int minBytes, int maxBytes)
      throws DamagedRegionException {
    int bytes = source.remaining() < LENGTH_BYTES ? -1 : source.getShort();
    if (bytes < minBytes || bytes > maxBytes || bytes > source.remaining()) {
      throw new DamagedRegionException(
          "table has a text of bytes=" + bytes + " at=" + source.position());
    }
    String text = RecordLayout.utf8(source, bytes);
    if (text == null) {
      throw new DamagedRegionException(
          "table has a text that is not UTF-8 at=" + source.position());
    }
    return text;
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
    if (!fits || !RecordLayout.isOffset(offset)) {
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

  /**
   * Thrown when bytes that were read differ from those that were written. A retry does not help.
   */
  public static final class DamagedRegionException extends IOException {

    private static final long serialVersionUID = 1;

    public DamagedRegionException(String message) {
      super(message);
    }
  }
}
