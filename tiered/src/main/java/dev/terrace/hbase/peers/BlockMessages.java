// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The messages between two region servers, one of which takes blocks that the other has cached. All
 * numbers are big-endian, texts are as {@link DataOutputStream#writeUTF} writes them.
 *
 * <pre>
 *   request   version (1)  server  count (4)  { file  offset (8) } ...
 *   answer    version (1)  status (1)  { index (4)  length (4)  CRC32C (4)  bytes } ...
 * </pre>
 *
 * The index is that of the block in the request. The checksum covers the file's name, the offset
 * and the bytes, which are the block in HBase's serialized form.
 */
final class BlockMessages {

  /** Maximum number of blocks in a request. */
  static final int MAX_BLOCKS = 1024;

  /** Maximum number of bytes of an answer. */
  static final int MAX_ANSWER_BYTES = 8 << 20;

  private static final int VERSION = 1;
  private static final int BLOCKS = 0;
  private static final int BUSY = 1;
  private static final int HEAD_BYTES = 2;
  private static final int FRAME_BYTES = 3 * Integer.BYTES;

  private BlockMessages() {}

  /** A block by its file and its offset in it. */
  record BlockAddress(String file, long offset) {}

  /**
   * A request.
   *
   * @param server the name of the server that is asked, with its start code
   */
  record Request(String server, List<BlockAddress> keys) {

    byte[] encoded() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(VERSION);
      out.writeUTF(server);
      out.writeInt(keys.size());
      for (BlockAddress key : keys) {
        out.writeUTF(key.file);
        out.writeLong(key.offset);
      }
      return bytes.toByteArray();
    }

    /**
     * Decodes a request.
     *
     * @throws IOException if it is malformed, or of another version
     */
    static Request decoded(byte[] bytes) throws IOException {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      requireVersion(in.readByte());
      String server = in.readUTF();
      int count = in.readInt();
      if (count < 0 || count > MAX_BLOCKS) {
        throw new IOException("blocks=" + count + ", expected at most " + MAX_BLOCKS);
      }
      List<BlockAddress> keys = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        keys.add(new BlockAddress(in.readUTF(), in.readLong()));
      }
      return new Request(server, keys);
    }
  }

  /** Collects the blocks of an answer. */
  static final class AnswerWriter {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int blocks;

    AnswerWriter() {
      bytes.write(VERSION);
      bytes.write(BLOCKS);
    }

    static byte[] busy() {
      return new byte[] {VERSION, BUSY};
    }

    boolean hasRoom(int length) {
      return bytes.size() + FRAME_BYTES + length <= MAX_ANSWER_BYTES;
    }

    void add(int index, BlockAddress key, byte[] block) {
      bytes.writeBytes(
          ByteBuffer.allocate(FRAME_BYTES)
              .putInt(index)
              .putInt(block.length)
              .putInt(check(key, ByteBuffer.wrap(block)))
              .array());
      bytes.writeBytes(block);
      blocks++;
    }

    int blocks() {
      return blocks;
    }

    byte[] encoded() {
      return bytes.toByteArray();
    }
  }

  /**
   * A block of an answer whose checksum is right.
   *
   * @param index of its key in the request
   */
  record Found(int index, ByteBuffer bytes) {}

  /**
   * An answer.
   *
   * @param found each block once
   * @param damaged the number of blocks that failed a check; the rest of the answer is not read
   */
  record Answer(boolean isBusy, List<Found> found, int damaged) {

    /**
     * Decodes an answer to a request.
     *
     * @throws IOException if it is of another version
     */
    static Answer decoded(byte[] bytes, List<BlockAddress> asked) throws IOException {
      if (bytes.length < HEAD_BYTES || bytes.length > MAX_ANSWER_BYTES) {
        throw new IOException("answer of bytes=" + bytes.length);
      }
      requireVersion(bytes[0]);
      List<Found> found = new ArrayList<>();
      BitSet seen = new BitSet();
      ByteBuffer in = ByteBuffer.wrap(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES);
      while (bytes[1] == BLOCKS && in.hasRemaining()) {
        Found next = next(in, asked);
        if (next == null || seen.get(next.index)) {
          return new Answer(false, found, 1);
        }
        seen.set(next.index);
        found.add(next);
      }
      return new Answer(bytes[1] != BLOCKS, found, 0);
    }

    private static Found next(ByteBuffer in, List<BlockAddress> asked) {
      if (in.remaining() < FRAME_BYTES) {
        return null;
      }
      int index = in.getInt();
      int length = in.getInt();
      int check = in.getInt();
      if (index < 0 || index >= asked.size() || length < 0 || length > in.remaining()) {
        return null;
      }
      ByteBuffer block = in.slice(in.position(), length);
      in.position(in.position() + length);
      return check(asked.get(index), block) == check ? new Found(index, block) : null;
    }
  }

  private static void requireVersion(int version) throws IOException {
    if (version != VERSION) {
      throw new IOException("unknown version=" + version + ", expected " + VERSION);
    }
  }

  private static int check(BlockAddress key, ByteBuffer block) {
    CRC32C crc = new CRC32C();
    crc.update(key.file.getBytes(StandardCharsets.UTF_8));
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, key.offset));
    crc.update(block.duplicate());
    return (int) crc.getValue();
  }
}
