// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import java.nio.ByteBuffer;

/**
 * The region that a recovery is reading, and how often in a row the process died reading it. The
 * mark is in the superblock's file and outlives the process. A power cut may lose it.
 *
 * <pre>
 *   0 magic (8)   8 region's slot (4)   12 deaths (4)   16 zero (44)   60 CRC32C of 0..59
 * </pre>
 *
 * @param slot the region's number on its device; -1 if none is read
 * @param deaths how often the process died while it read this region, from 0
 */
public record RecoveryMark(int slot, int deaths) {

  /** No region is read, and the last recovery ended. */
  public static final RecoveryMark NONE = new RecoveryMark(-1, 0);

  /** The bytes that a mark takes. */
  public static final int SIZE_BYTES = 64;

  /** {@code TerrMark}. */
  private static final long MAGIC = 0x6B72614D72726554L;

  private static final int SLOT_AT = 8;
  private static final int DEATHS_AT = 12;
  private static final int CRC_AT = 60;

  /** The bytes in the file. */
  public byte[] encode() {
    ByteBuffer bytes =
        RecordLayout.littleEndian(ByteBuffer.allocate(SIZE_BYTES))
            .putLong(0, MAGIC)
            .putInt(SLOT_AT, slot)
            .putInt(DEATHS_AT, deaths);
    return bytes.putInt(CRC_AT, RecordLayout.crc(bytes, 0, CRC_AT)).array();
  }

  /** Reads what {@link #encode} wrote; {@link #NONE} if the bytes are anything else. */
  public static RecoveryMark decode(byte[] mark) {
    if (mark.length != SIZE_BYTES) {
      return NONE;
    }
    ByteBuffer bytes = RecordLayout.littleEndian(ByteBuffer.wrap(mark));
    boolean isMark =
        bytes.getLong(0) == MAGIC
            && bytes.getInt(CRC_AT) == RecordLayout.crc(bytes, 0, CRC_AT)
            && bytes.getInt(SLOT_AT) >= 0
            && bytes.getInt(DEATHS_AT) >= 0;
    return isMark ? new RecoveryMark(bytes.getInt(SLOT_AT), bytes.getInt(DEATHS_AT)) : NONE;
  }
}
