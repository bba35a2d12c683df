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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockType;

/**
 * The header of a block of an HFile: the first bytes of its encoding in the cache as well.
 *
 * <pre>
 *   0                   8         12
 *   +-------------------+---------+---------------------------------------------------+
 *   | magic of the      | bytes   | sizes in memory, previous block, checksums        |
 *   | block's type      | on disk |                                                   |
 *   +-------------------+---------+---------------------------------------------------+
 * </pre>
 *
 * <p>Numbers are big-endian. The bytes on disk do not include the header.
 */
final class BlockHeader {

  /** How much of a block has to be known. */
  static final int BYTES = HConstants.HFILEBLOCK_HEADER_SIZE;

  private static final int ON_DISK_BYTES = BlockType.MAGIC_LENGTH;

  private BlockHeader() {}

  /**
   * How many bytes a block takes in its file, header and checksums included.
   *
   * @param header the first {@link #BYTES} of the block
   * @return nothing if this is not the header of a block
   */
  static Optional<Integer> onDiskBytes(byte[] header) {
    try {
      BlockType.parse(header, 0, BlockType.MAGIC_LENGTH);
    } catch (IOException e) {
      // Another kind of block, or bytes that were damaged: the caller reads the block itself.
      return Optional.empty();
    }
    int sizeBytes = ByteBuffer.wrap(header).getInt(ON_DISK_BYTES);
    return sizeBytes < 0 || sizeBytes > Integer.MAX_VALUE - BYTES
        ? Optional.empty()
        : Optional.of(sizeBytes + BYTES);
  }
}
