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

import static dev.terrace.region.RecordLayout.FORMAT;
import static dev.terrace.region.RecordLayout.HEADER_CRC;
import static dev.terrace.region.RecordLayout.MAGIC;
import static dev.terrace.region.RecordLayout.MAX_NAME_BYTES;
import static dev.terrace.region.RecordLayout.NAME;
import static dev.terrace.region.RecordLayout.NAME_BYTES;
import static dev.terrace.region.RecordLayout.OFFSET;
import static dev.terrace.region.RecordLayout.PAYLOAD_BYTES;
import static dev.terrace.region.RecordLayout.PAYLOAD_CRC;
import static dev.terrace.region.RecordLayout.RESERVED;
import static dev.terrace.region.RecordLayout.RESERVED_LENGTH;
import static dev.terrace.region.RecordLayout.SEQUENCE;
import static dev.terrace.region.RecordLayout.TRAITS;

import dev.terrace.api.BlockTraits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The header of a record as it was read and checked: {@link #read} gives null for anything that is
 * not a whole header.
 *
 * @param sequence grows with every record of a device
 * @param file the file's name
 * @param offset where the block starts in its file
 * @param payloadBytes the block's encoded size
 * @param payloadCrc CRC32C of the encoded block
 * @param format what the codec said about the block
 * @param traits what the owner said about it
 * @param headerBytes bytes before the payload
 */
record BlockRecord(
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

  /** Marks room for a record, so that a scan finds what lies behind it. */
  static void reserve(ByteBuffer region, int position, int recordBytes) {
    region.putInt(position + RESERVED_LENGTH, recordBytes);
    INT.setRelease(region, position, RESERVED);
  }

  /**
   * Writes the header of a record whose payload is in its place already. The magic comes last: a
   * header that a crash cut off is none.
   *
   * @param region the region's bytes, little-endian
   * @param isMapped whether they are mapped memory
   */
  static void write(
      ByteBuffer region,
      int position,
      boolean isMapped,
      long sequence,
      byte[] name,
      long offset,
      int payloadBytes,
      int format,
      BlockTraits traits) {
    int headerBytes = RecordLayout.headerBytes(name.length);
    region.putLong(position + SEQUENCE, sequence);
    region.putLong(position + OFFSET, offset);
    region.putInt(position + PAYLOAD_BYTES, payloadBytes);
    region.putInt(
        position + PAYLOAD_CRC,
        RecordLayout.crc(region, isMapped, position + headerBytes, payloadBytes));
    region.putInt(position + FORMAT, format);
    region.putShort(position + NAME_BYTES, (short) name.length);
    region.put(position + TRAITS, RecordLayout.pack(traits));
    region.put(position + TRAITS + 1, (byte) 0);
    region.put(position + NAME, name);
    for (int i = NAME + name.length; i < headerBytes; i++) {
      region.put(position + i, (byte) 0);
    }
    region.putInt(
        position + HEADER_CRC,
        RecordLayout.crc(region, isMapped, position + SEQUENCE, NAME + name.length - SEQUENCE));
    INT.setRelease(region, position, MAGIC);
  }

  /**
   * Reads and checks a header.
   *
   * @param bytes little-endian
   * @param position where the record begins
   * @return null if there is no whole header with a right checksum, or its record does not fit
   */
  static BlockRecord read(ByteBuffer bytes, int position) {
    int room = bytes.limit() - position;
    if (room < NAME || bytes.getInt(position) != MAGIC) {
      return null;
    }
    int nameBytes = bytes.getShort(position + NAME_BYTES);
    if (nameBytes <= 0 || nameBytes > MAX_NAME_BYTES || NAME + nameBytes > room) {
      return null;
    }
    int crc = RecordLayout.crc(bytes, position + SEQUENCE, NAME + nameBytes - SEQUENCE);
    if (crc != bytes.getInt(position + HEADER_CRC)) {
      return null;
    }
    int headerBytes = RecordLayout.headerBytes(nameBytes);
    int payloadBytes = bytes.getInt(position + PAYLOAD_BYTES);
    if (payloadBytes <= 0 || payloadBytes > room - headerBytes) {
      return null;
    }
    byte[] name = new byte[nameBytes];
    bytes.get(position + NAME, name);
    return new BlockRecord(
        bytes.getLong(position + SEQUENCE),
        new String(name, StandardCharsets.UTF_8),
        bytes.getLong(position + OFFSET),
        payloadBytes,
        bytes.getInt(position + PAYLOAD_CRC),
        bytes.getInt(position + FORMAT),
        RecordLayout.traits(bytes.get(position + TRAITS)),
        headerBytes);
  }

  /** The bytes of a room that was reserved and not filled; 0 if there is none at this position. */
  static int reservedBytes(ByteBuffer bytes, int position) {
    if (bytes.limit() - position < NAME || bytes.getInt(position) != RESERVED) {
      return 0;
    }
    int reserved = bytes.getInt(position + RESERVED_LENGTH);
    boolean sane =
        reserved > 0
            && reserved <= bytes.limit() - position
            && reserved % BlockAddress.RECORD_ALIGNMENT == 0;
    return sane ? reserved : 0;
  }

  /** Whether this is the record of a block of this size. */
  boolean isOf(String wantedFile, long wantedOffset, int wantedPayloadBytes) {
    return offset == wantedOffset && payloadBytes == wantedPayloadBytes && file.equals(wantedFile);
  }

  /** Whether the payload behind a header at {@code position} is what was written. */
  boolean hasRightPayload(ByteBuffer bytes, int position) {
    return RecordLayout.crc(bytes, position + headerBytes, payloadBytes) == payloadCrc;
  }

  /** The bytes that the record occupies. */
  int recordBytes() {
    return RecordLayout.align(headerBytes + payloadBytes, BlockAddress.RECORD_ALIGNMENT);
  }

  /** A file's name as records carry it. */
  static byte[] nameOf(String file) {
    return file.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether a name survives being written and read. */
  static boolean isWritable(String file, byte[] name) {
    return name.length > 0
        && name.length <= MAX_NAME_BYTES
        && file.equals(new String(name, StandardCharsets.UTF_8));
  }
}
