// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import static dev.terrace.region.format.RecordLayout.FORM;
import static dev.terrace.region.format.RecordLayout.FORMAT;
import static dev.terrace.region.format.RecordLayout.MAGIC;
import static dev.terrace.region.format.RecordLayout.MAX_NAME_BYTES;
import static dev.terrace.region.format.RecordLayout.NAME;
import static dev.terrace.region.format.RecordLayout.NAME_BYTES;
import static dev.terrace.region.format.RecordLayout.OFFSET;
import static dev.terrace.region.format.RecordLayout.PAYLOAD_BYTES;
import static dev.terrace.region.format.RecordLayout.PAYLOAD_CRC;
import static dev.terrace.region.format.RecordLayout.RECORD_CHECK;
import static dev.terrace.region.format.RecordLayout.RESERVED;
import static dev.terrace.region.format.RecordLayout.ROOM_BYTES;
import static dev.terrace.region.format.RecordLayout.ROOM_CHECK;
import static dev.terrace.region.format.RecordLayout.SEQUENCE;
import static dev.terrace.region.format.RecordLayout.TRAITS;

import dev.terrace.api.BlockTraits;
import dev.terrace.region.format.RegionEpoch.Part;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The header of a record, read and checked.
 *
 * @param sequence grows with every record of a device
 * @param file the file's name
 * @param offset where the block starts in its file
 * @param payloadBytes the block's encoded size
 * @param payloadCrc CRC32C of the encoded block
 * @param format the codec's format of the block
 * @param traits the owner's traits of the block
 * @param headerBytes bytes before the payload
 */
public record BlockRecord(
    long sequence,
    String file,
    long offset,
    int payloadBytes,
    int payloadCrc,
    int format,
    BlockTraits traits,
    int headerBytes) {

  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Marks room for a record, so that a walk finds the records after it. Writes the magic last. */
  public static void reserve(
      ByteBuffer region, int position, RegionEpoch life, int roomBytes, long sequence) {
    region.putInt(position + ROOM_BYTES, roomBytes);
    region.putLong(position + SEQUENCE, sequence);
    region.putLong(position + ROOM_CHECK, life.roomCheck(position, roomBytes, sequence));
    giveUp(region, position);
  }

  public static void giveUp(ByteBuffer region, int position) {
    INT.setRelease(region, position, RESERVED);
  }

  /**
   * Writes the header of a record, after its payload. Writes the magic last, so that a torn header
   * does not count as one.
   *
   * @param region the region's bytes, little-endian
   * @param name the file's name
   */
  public static void write(
      ByteBuffer region,
      RegionEpoch life,
      byte[] name,
      RegionTable.Entry entry,
      int payloadCrc,
      int format,
      int form) {
    int position = entry.position();
    int headerBytes = RecordLayout.headerBytes(name.length);
    region.putLong(position + OFFSET, entry.offset());
    region.putInt(position + PAYLOAD_BYTES, entry.payloadBytes());
    region.putInt(position + PAYLOAD_CRC, payloadCrc);
    region.putInt(position + FORMAT, format);
    region.putShort(position + NAME_BYTES, (short) name.length);
    region.put(position + TRAITS, RecordLayout.pack(entry.traits()));
    region.put(position + FORM, (byte) form);
    region.put(position + NAME, name);
    for (int i = NAME + name.length; i < headerBytes; i++) {
      region.put(position + i, (byte) 0);
    }
    region.putLong(position + RECORD_CHECK, check(region, position, life, position, name.length));
    INT.setRelease(region, position, MAGIC);
  }

  private static long check(
      ByteBuffer bytes, int at, RegionEpoch life, int position, int nameBytes) {
    return life.check(Part.RECORD, position, bytes, at + SEQUENCE, at + NAME + nameBytes);
  }

  /**
   * Whether an intact header of this life begins here, of a record that fits.
   *
   * @param bytes little-endian
   * @param at where the record begins in {@code bytes}
   * @param life the region's
   * @param position where the record begins in its region
   */
  public static boolean isIntact(ByteBuffer bytes, int at, RegionEpoch life, int position) {
    int room = bytes.limit() - at;
    if (room < NAME || bytes.getInt(at) != MAGIC) {
      return false;
    }
    int nameBytes = bytes.getShort(at + NAME_BYTES);
    if (nameBytes <= 0
        || nameBytes > MAX_NAME_BYTES
        || NAME + nameBytes > room
        || check(bytes, at, life, position, nameBytes) != bytes.getLong(at + RECORD_CHECK)) {
      return false;
    }
    int payloadBytes = bytes.getInt(at + PAYLOAD_BYTES);
    return payloadBytes > 0 && payloadBytes <= room - RecordLayout.headerBytes(nameBytes);
  }

  /** Reads a header; null unless it {@link #isIntact}. */
  public static BlockRecord read(ByteBuffer bytes, int at, RegionEpoch life, int position) {
    return !isIntact(bytes, at, life, position)
        ? null
        : new BlockRecord(
            bytes.getLong(at + SEQUENCE),
            name(bytes, at),
            bytes.getLong(at + OFFSET),
            bytes.getInt(at + PAYLOAD_BYTES),
            bytes.getInt(at + PAYLOAD_CRC),
            bytes.getInt(at + FORMAT),
            RecordLayout.traits(bytes.get(at + TRAITS)),
            RecordLayout.headerBytes(bytes.getShort(at + NAME_BYTES)));
  }

  private static String name(ByteBuffer bytes, int at) {
    byte[] name = new byte[bytes.getShort(at + NAME_BYTES)];
    bytes.get(at + NAME, name);
    return new String(name, StandardCharsets.UTF_8);
  }

  /**
   * The size of room that was reserved in this life of the region, with or without a record.
   *
   * @param bytes the region's, little-endian
   * @return 0 if no such room begins here
   */
  public static int roomBytes(ByteBuffer bytes, int position, RegionEpoch life) {
    int limit = bytes.limit() - position;
    if (limit < NAME) {
      return 0;
    }
    int room = bytes.getInt(position + ROOM_BYTES);
    boolean isRoom =
        room > 0
            && room <= limit
            && room % BlockAddress.RECORD_ALIGNMENT == 0
            && bytes.getLong(position + ROOM_CHECK)
                == life.roomCheck(position, room, bytes.getLong(position + SEQUENCE));
    return isRoom ? room : 0;
  }

  /** Whether an intact header names this block, with this size. Compares in place. */
  public static boolean isOf(ByteBuffer bytes, int at, String file, long offset, int payloadBytes) {
    return bytes.getLong(at + OFFSET) == offset
        && bytes.getInt(at + PAYLOAD_BYTES) == payloadBytes
        && isNamed(bytes, at, file);
  }

  private static boolean isNamed(ByteBuffer bytes, int at, String file) {
    int length = bytes.getShort(at + NAME_BYTES);
    boolean isSame = length == file.length();
    for (int i = 0; i < length && isSame; i++) {
      isSame = bytes.get(at + NAME + i) == file.charAt(i);
    }
    // In UTF-8, characters that are not ASCII are other bytes.
    return isSame || file.equals(name(bytes, at));
  }

  /** Whether the payload of a record at {@code position} matches the checksum. */
  public boolean hasRightPayload(ByteBuffer bytes, int position) {
    return RecordLayout.crc(bytes, position + headerBytes, payloadBytes) == payloadCrc;
  }

  public int recordBytes() {
    return RecordLayout.align(headerBytes + payloadBytes, BlockAddress.RECORD_ALIGNMENT);
  }

  /** A file's name as a record stores it. */
  public static byte[] nameOf(String file) {
    return file.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether a name can be written and reads back the same. */
  public static boolean isWritable(String file, byte[] name) {
    return name.length > 0
        && name.length <= MAX_NAME_BYTES
        && file.equals(new String(name, StandardCharsets.UTF_8));
  }
}
