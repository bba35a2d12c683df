// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The layout of a record. A record is one block in a region: reserved room, a header that names the
 * block, and the block's bytes. All numbers are little-endian.
 *
 * <pre>
 *   0         4         8                   16                  24
 *   +---------+---------+-------------------+-------------------+-------------------+
 *   |  magic  |  room   |   room's check    |  record's check   |     sequence      |
 *   |         |  bytes  |                   |                   |                   |
 *   +---------+---------+---------+---------+---------+----+----+-------------------+
 *   |      offset       | payload | payload | format  |name|t|f | file name, UTF-8  |
 *   |   in the HFile    | bytes   | CRC32C  |         |bytes    |                   |
 *   +-------------------+---------+---------+---------+----+----+-------------------+
 *   32                  40        44        48        52   54   56
 *   | ... zeros to a multiple of 8 | payload ...                                    |
 *   +------------------------------+------------------------------------------------+
 * </pre>
 *
 * <p>Records start at multiples of {@link BlockAddress#RECORD_ALIGNMENT}. The room's check covers
 * its size and the sequence. It is written when the room is reserved, so that the rooms after it
 * can be found whatever happens to this one. The record's check covers everything from the sequence
 * to the end of the name. Both are keyed, see {@link RegionEpoch}. In the drawing {@code t} are the
 * traits, and {@code f} is the {@link StoredForm} of the payload.
 *
 * <p>The magic is {@link #RESERVED} until the record is complete, and again if it is given up.
 */
public final class RecordLayout {

  /** Magic of a complete record: {@code TRec}. */
  public static final int MAGIC = 0x63655254;

  /** Magic of room without a record: {@code TRsv}. */
  static final int RESERVED = 0x76735254;

  public static final int ROOM_BYTES = 4;
  public static final int ROOM_CHECK = 8;
  public static final int RECORD_CHECK = 16;
  public static final int SEQUENCE = 24;
  public static final int OFFSET = 32;
  public static final int PAYLOAD_BYTES = 40;
  public static final int PAYLOAD_CRC = 44;
  public static final int FORMAT = 48;
  public static final int NAME_BYTES = 52;
  static final int TRAITS = 54;

  /** The {@link StoredForm} of the payload, one byte. */
  public static final int FORM = 55;

  public static final int NAME = 56;

  /** The largest offset of a block in its file. */
  public static final long MAX_OFFSET = (1L << 44) - 1;

  static final int MAX_NAME_BYTES = 512;

  private static final int RESIDENCY_SHIFT = 4;
  private static final int TYPE_MASK = (1 << RESIDENCY_SHIFT) - 1;

  private static final int CRC_PIECE_BYTES = 8192;

  /**
   * One for each thread: in use only inside {@link #crc(ByteBuffer)}, which calls no other code.
   */
  private static final ThreadLocal<CRC32C> CHECKSUM = ThreadLocal.withInitial(CRC32C::new);

  private RecordLayout() {}

  public static int headerBytes(int nameBytes) {
    return align(NAME + nameBytes, Long.BYTES);
  }

  /** The size of a record, rounded up to its alignment. */
  public static int recordBytes(int nameBytes, int payloadBytes) {
    return align(headerBytes(nameBytes) + payloadBytes, BlockAddress.RECORD_ALIGNMENT);
  }

  /** The next multiple of an alignment, which is a power of two. */
  public static int align(int bytes, int alignment) {
    return (bytes + alignment - 1) & -alignment;
  }

  /** Whether a block can start at this offset of its file. */
  public static boolean isOffset(long offset) {
    return offset >= 0 && offset <= MAX_OFFSET;
  }

  public static int utf8Bytes(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 0x80) {
        return name.getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return name.length();
  }

  /** Reads a text of this length in bytes; null if it is not UTF-8. */
  static String utf8(ByteBuffer source, int bytes) {
    byte[] utf8 = new byte[bytes];
    source.get(utf8);
    String text = new String(utf8, StandardCharsets.UTF_8);
    return Arrays.equals(utf8, text.getBytes(StandardCharsets.UTF_8)) ? text : null;
  }

  static byte pack(BlockTraits traits) {
    return (byte) (traits.type() | traits.residency().ordinal() << RESIDENCY_SHIFT);
  }

  /** The traits in a byte that {@link #pack} made; unknown bits are ignored. */
  static BlockTraits traits(byte packed) {
    boolean isProtected = (packed >> RESIDENCY_SHIFT & 1) != 0;
    return BlockTraits.of(
        packed & TYPE_MASK, isProtected ? Residency.PROTECTED : Residency.ORDINARY);
  }

  /** The same buffer, set to the byte order of the format. */
  public static ByteBuffer littleEndian(ByteBuffer buffer) {
    return buffer.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The CRC32C of mapped memory, copied in pieces first because a fault in it must be an error. */
  public static int mappedCrc(ByteBuffer region, int position, int lengthBytes) {
    byte[] piece = new byte[Math.min(lengthBytes, CRC_PIECE_BYTES)];
    CRC32C crc = new CRC32C();
    int end = position + lengthBytes;
    for (int at = position; at < end; at += piece.length) {
      int length = Math.min(piece.length, end - at);
      region.get(at, piece, 0, length);
      crc.update(piece, 0, length);
    }
    return (int) crc.getValue();
  }

  /** The CRC32C of a part of a buffer that is not mapped memory. */
  public static int crc(ByteBuffer buffer, int position, int lengthBytes) {
    return crc(buffer.slice(position, lengthBytes));
  }

  /** The CRC32C of a buffer that only this thread uses, and that is not mapped memory. */
  public static int crc(ByteBuffer buffer) {
    CRC32C crc = CHECKSUM.get();
    crc.reset();
    crc.update(buffer.rewind());
    buffer.rewind();
    return (int) crc.getValue();
  }
}
