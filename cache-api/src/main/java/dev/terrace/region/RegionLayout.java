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
import java.util.UUID;

/**
 * Where things lie in a region. All numbers are little-endian.
 *
 * <pre>
 *   0        64                                             size-64     size
 *   +--------+---------+---------+-- ... --+-------+--------+-----------+
 *   | header | record  | record  |         | (free)| table  |  footer   |
 *   +--------+---------+---------+-- ... --+-------+--------+-----------+
 *
 *   header   0 magic (8)   8 version (2)   10 zero (2)   12 region (4)   16 device id (16)
 *            32 first sequence (8)   40 opened, ms since 1970 (8)   48 zero (12)   60 CRC32C of 0..59
 *
 *   footer   0 magic (8)   8 version (2)   10 zero (2)   12 region (4)
 *            16 first sequence (8)   24 last sequence (8)   32 sealed, ms since 1970 (8)
 *            40 records (4)   44 files (4)   48 table bytes (4)   52 table CRC32C (4)   56 zero (4)
 *            60 CRC32C of 0..59
 * </pre>
 *
 * <p>A region is sealed if its header and its footer are whole and carry the same first sequence. A
 * header alone says that the region was open: what follows it are records up to the first that is
 * none, or is of an earlier life and has a smaller sequence.
 */
final class RegionLayout {

  /** The version of all structures in a region. */
  static final short VERSION = 1;

  static final int HEADER_BYTES = 64;
  static final int FOOTER_BYTES = 64;

  /** Where the first record starts. */
  static final int FIRST_RECORD = HEADER_BYTES;

  /** {@code TerrRegn}. */
  private static final long HEADER_MAGIC = 0x6E67655272726554L;

  /** {@code TerrSeal}. */
  private static final long FOOTER_MAGIC = 0x6C61655372726554L;

  private static final int VERSION_AT = 8;
  private static final int REGION_AT = 12;
  private static final int CRC_AT = 60;

  /** What a region's header says. */
  record Header(int region, UUID device, long firstSequence, long openedMillis) {

    /** Writes the header to {@code region}, which is little-endian, at 0. */
    void write(ByteBuffer target) {
      target.putLong(0, HEADER_MAGIC);
      target.putShort(VERSION_AT, VERSION);
      target.putShort(10, (short) 0);
      target.putInt(REGION_AT, region);
      target.putLong(16, device.getMostSignificantBits());
      target.putLong(24, device.getLeastSignificantBits());
      target.putLong(32, firstSequence);
      target.putLong(40, openedMillis);
      target.putLong(48, 0);
      target.putInt(56, 0);
      target.putInt(CRC_AT, RecordLayout.crc(target, 0, CRC_AT));
    }

    /** Reads a header; null if there is none of this version, or it is damaged. */
    static Header read(ByteBuffer source) {
      if (!isWhole(source, HEADER_MAGIC)) {
        return null;
      }
      return new Header(
          source.getInt(REGION_AT),
          new UUID(source.getLong(16), source.getLong(24)),
          source.getLong(32),
          source.getLong(40));
    }
  }

  /** What a region's footer says. */
  record Footer(
      int region,
      long firstSequence,
      long lastSequence,
      long sealedMillis,
      int records,
      int files,
      int tableBytes,
      int tableCrc) {

    /** Writes the footer to {@code target}, which is little-endian, at 0. */
    void write(ByteBuffer target) {
      target.putLong(0, FOOTER_MAGIC);
      target.putShort(VERSION_AT, VERSION);
      target.putShort(10, (short) 0);
      target.putInt(REGION_AT, region);
      target.putLong(16, firstSequence);
      target.putLong(24, lastSequence);
      target.putLong(32, sealedMillis);
      target.putInt(40, records);
      target.putInt(44, files);
      target.putInt(48, tableBytes);
      target.putInt(52, tableCrc);
      target.putInt(56, 0);
      target.putInt(CRC_AT, RecordLayout.crc(target, 0, CRC_AT));
    }

    /** Reads a footer; null if there is none of this version, or it is damaged. */
    static Footer read(ByteBuffer source) {
      if (!isWhole(source, FOOTER_MAGIC)) {
        return null;
      }
      return new Footer(
          source.getInt(REGION_AT),
          source.getLong(16),
          source.getLong(24),
          source.getLong(32),
          source.getInt(40),
          source.getInt(44),
          source.getInt(48),
          source.getInt(52));
    }

    /** Whether the table that it announces fits into a region of this size. */
    boolean fits(int regionBytes) {
      return records >= 0
          && files >= 0
          && tableBytes >= 0
          && tableBytes <= regionBytes - FIRST_RECORD - FOOTER_BYTES;
    }
  }

  private RegionLayout() {}

  private static boolean isWhole(ByteBuffer source, long magic) {
    return source.getLong(0) == magic
        && source.getShort(VERSION_AT) == VERSION
        && source.getInt(CRC_AT) == RecordLayout.crc(source, 0, CRC_AT);
  }

  /** Where the footer lies in a region. */
  static int footerPosition(int regionBytes) {
    return regionBytes - FOOTER_BYTES;
  }

  /** The largest payload of a region: half of it, so that the room lost at its end is bounded. */
  static int largestPayloadBytes(int regionBytes) {
    return Math.min(BlockAddress.MAX_PAYLOAD_BYTES, regionBytes / 2);
  }
}
