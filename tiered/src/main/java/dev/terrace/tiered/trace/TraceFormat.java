// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.trace;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes of a recorded trace. Numbers are big-endian, times are in milliseconds.
 *
 * <pre>
 *   header  magic 8 | version 4 | one block in 4 | start since 1970 8 | CRC32C of these 4
 *   chunk   length of the entries 4 | CRC32C 4 | time since the start 8 | entries
 *   ...
 *   chunk with the end
 *
 *   entry   tag 1, and then by the tag
 *     0     file    length of the table's name 2 | table's name in UTF-8
 *     1..4  access  type 1 | file's number 4 | offset 8 | size 4
 *     5     end     reads of all blocks 8 | entries dropped 8
 * </pre>
 *
 * Files are numbered from 0 in the order of their entries. The check of a chunk covers its position
 * in the file (8 bytes), its time and its entries.
 */
final class TraceFormat {

  static final long MAGIC = 0x5445_5252_5452_4143L;
  static final int VERSION = 1;

  static final int HEADER_BYTES = 28;
  static final int CHECKED_HEADER_BYTES = HEADER_BYTES - Integer.BYTES;
  static final int CHUNK_HEADER_BYTES = 16;
  static final int MAX_CHUNK_BYTES = 1 << 16;

  static final byte FILE = 0;
  static final byte FIRST_ACCESS = 1;
  static final byte END = 5;

  static final int ACCESS_BYTES = 18;
  static final int FILE_BYTES = 3;
  static final int END_BYTES = 17;
  static final int MAX_TABLE_BYTES = 1024;

  private TraceFormat() {}

  /** The check of a chunk at a position in the file; {@code entries} keeps its position. */
  static int check(long position, long millis, ByteBuffer entries) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(position).putLong(millis).flip());
    crc.update(entries.duplicate());
    return (int) crc.getValue();
  }

  static int check(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.duplicate().position(0).limit(CHECKED_HEADER_BYTES));
    return (int) crc.getValue();
  }
}
