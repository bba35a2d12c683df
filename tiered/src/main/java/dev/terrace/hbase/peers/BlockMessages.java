// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * The messages between two region servers, one of which takes blocks that the other has cached. All
 * numbers are big-endian; a file's name is as {@link DataOutputStream#writeUTF} writes it.
 *
 * <pre>
 *   request   count (4)  { file  offset (8) } ...
 *   answer    { index (4)  length (4)  CRC32C (4)  bytes } ...
 * </pre>
 *
 * The index is that of the block in the request. The checksum covers the file's name, the offset
 * and the bytes, which are the block in HBase's serialized form. Other messages would be those of
 * another method of the service.
 */
final class BlockMessages {

  /** Maximum number of bytes of an answer. */
  static final int MAX_ANSWER_BYTES = 8 << 20;

  private static final int FRAME_BYTES = 3 * Integer.BYTES;

  private BlockMessages() {}

  static byte[] request(List<BlockKey> blocks) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(blocks.size());
    for (BlockKey block : blocks) {
      out.writeUTF(block.file().name());
      out.writeLong(block.offset());
    }
    return bytes.toByteArray();
  }

  /**
   * Decodes a request.
   *
   * @throws IOException if it is malformed
   */
  static List<BlockKey> requested(byte[] request, CacheFiles files) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(request));
    int count = in.readInt();
    if (count < 0 || count > Peers.MAX_BLOCKS) {
      throw new IOException("blocks=" + count + ", expected at most " + Peers.MAX_BLOCKS);
    }
    List<BlockKey> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(new BlockKey(files.find(in.readUTF()), in.readLong()));
    }
    return blocks;
  }

  /**
   * Adds a block to an answer.
   *
   * @param block writes its bytes
   * @return false if it does not fit
   */
  static boolean add(
      ByteBuffer answer, int index, BlockKey place, int length, Consumer<ByteBuffer> block) {
    if (FRAME_BYTES + length > answer.remaining()) {
      return false;
    }
    ByteBuffer bytes = answer.slice(answer.position() + FRAME_BYTES, length);
    block.accept(bytes);
    answer.putInt(index).putInt(length).putInt(check(place, bytes.clear()));
    answer.position(answer.position() + length);
    return true;
  }

  /**
   * Decodes an answer, up to the first block that fails a check.
   *
   * @return the blocks by their index in the request
   */
  static Map<Integer, ByteBuffer> blocks(byte[] answer, List<BlockKey> asked) {
    Map<Integer, ByteBuffer> blocks = new HashMap<>();
    ByteBuffer in = ByteBuffer.wrap(answer);
    while (in.remaining() >= FRAME_BYTES) {
      int index = in.getInt();
      int length = in.getInt();
      int check = in.getInt();
      boolean isPossible = index >= 0 && index < asked.size() && length >= 0;
      if (!isPossible || length > in.remaining()) {
        return blocks;
      }
      ByteBuffer block = in.slice(in.position(), length);
      in.position(in.position() + length);
      if (check(asked.get(index), block) != check || blocks.putIfAbsent(index, block) != null) {
        return blocks;
      }
    }
    return blocks;
  }

  private static int check(BlockKey place, ByteBuffer block) {
    CRC32C crc = new CRC32C();
    crc.update(place.file().name().getBytes(StandardCharsets.UTF_8));
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, place.offset()));
    crc.update(block.duplicate());
    return (int) crc.getValue();
  }
}
