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
package dev.terrace.hbase.blocks;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * Compares the contents of two blocks.
 *
 * <p>HBase notes in the last 9 bytes of a block's header which checksums follow the block in its
 * file: their type, the bytes that each one covers, and where they begin. A block that is cached as
 * it is written has none. One that is read from its file has them before 2.6, and in 3.0.0-alpha.
 * So those bytes are no contents, nor is the size of the next block, which only some readers know.
 */
final class BlockContents {

  /** Block type, both sizes and the previous block's offset come before. */
  private static final int CHECKSUM_FIELDS = 24;

  private BlockContents() {}

  /** The contents of two blocks of one key differ. */
  static final class DifferException extends Exception {

    private static final long serialVersionUID = 1L;

    DifferException(Cacheable resident, Cacheable other) {
      super("resident: " + resident + "; to be cached: " + other);
    }
  }

  /**
   * Checks that a block is the resident one.
   *
   * @throws DifferException if it is another one
   */
  static void requireSame(Cacheable resident, Cacheable other) throws DifferException {
    boolean same =
        (resident instanceof HFileBlock one && other instanceof HFileBlock two)
            ? isSame(one, two)
            : serialized(resident).equals(serialized(other));
    if (!same) {
      throw new DifferException(resident, other);
    }
  }

  private static boolean isSame(HFileBlock one, HFileBlock other) {
    int header = one.headerSize();
    ByteBuff bytes = one.getBufferReadOnly();
    ByteBuff otherBytes = other.getBufferReadOnly();
    return offset(one) == offset(other)
        && header == other.headerSize()
        && isSame(bytes, otherBytes, 0, CHECKSUM_FIELDS)
        && (isRepacked(one, other)
            || (bytes.limit() == otherBytes.limit()
                && isSame(bytes, otherBytes, header, bytes.limit() - header)));
  }

  /** Of the metadata that {@code BucketCache} reads: HBase 3 shows it to nobody else. */
  private static long offset(HFileBlock block) {
    return block.getMetaData(ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE)).getLong(1);
  }

  /** Whether one of two blocks is as it is in its file, and the other one unpacked. */
  static boolean isRepacked(Cacheable one, Cacheable other) {
    return FormWatch.isPacked(one) != FormWatch.isPacked(other);
  }

  private static boolean isSame(ByteBuff one, ByteBuff other, int from, int length) {
    return ByteBuff.compareTo(one, from, length, other, from, length) == 0;
  }

  private static ByteBuffer serialized(Cacheable block) {
    ByteBuffer bytes = ByteBuffer.allocate(block.getSerializedLength());
    block.serialize(bytes, false);
    return bytes.rewind();
  }
}
