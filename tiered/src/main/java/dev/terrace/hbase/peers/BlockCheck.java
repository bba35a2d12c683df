// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;

/** Checks that the bytes of a block can be those of a place in a store file. */
public final class BlockCheck {

  private static final int MAX_BYTES = 64 << 20;
  private static final int PREVIOUS_OFFSET = 16;
  private static final int DATA_SIZE = 29;

  /** In the metadata for {@code BucketCache}. */
  private static final int OFFSET = 1;

  private static final int NEXT_SIZE = 9;

  private BlockCheck() {}

  /**
   * Decodes a block.
   *
   * @param bytes in HBase's serialized form; may be kept
   * @param offset where the block is in the file
   * @param file as this server has it open
   * @return empty if there can be no such block at this offset
   */
  public static Optional<HFileBlock> decode(ByteBuffer bytes, long offset, HFile.Reader file) {
    FixedFileTrailer trailer = file.getTrailer();
    boolean mayBePacked =
        trailer.getCompressionCodec() != Compression.Algorithm.NONE
            || trailer.getEncryptionKey() != null;
    return decode(bytes, offset, file.length(), mayBePacked);
  }

  static Optional<HFileBlock> decode(
      ByteBuffer bytes, long offset, long fileBytes, boolean mayBePacked) {
    try {
      HFileBlock block =
          (HFileBlock)
              HFileBlock.BLOCK_DESERIALIZER.deserialize(
                  ByteBuff.wrap(bytes), ByteBuffAllocator.HEAP);
      return Optional.of(block)
          .filter(read -> isPossible(read, offset, fileBytes))
          .filter(read -> read.isUnpacked() || (mayBePacked && isWholeIfPacked(read)));
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static boolean isPossible(HFileBlock block, long offset, long fileBytes) {
    ByteBuff header = block.getBufferReadOnly();
    long end = offset + block.getOnDiskSizeWithHeader();
    // HBase 3.0.0-alpha-4 exposes offset and next size in the metadata alone.
    ByteBuffer metadata = block.getMetaData(ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE));
    int next = metadata.getInt(NEXT_SIZE);
    long previous = header.getLong(PREVIOUS_OFFSET);
    int size = block.getUncompressedSizeWithoutHeader();
    int dataBytes = block.headerSize() > DATA_SIZE ? header.getInt(DATA_SIZE) : 0;
    return metadata.getLong(OFFSET) == offset
        && block.getOnDiskSizeWithHeader() >= block.headerSize()
        && block.getOnDiskSizeWithHeader() >= dataBytes
        && end <= fileBytes
        && size >= 0
        && size <= MAX_BYTES
        && previous >= -1
        && previous < offset
        && (next == -1 || (next >= block.headerSize() && end + next <= fileBytes));
  }

  /** Whether a block has as many bytes as in its file, where checksums may follow it. */
  private static boolean isWholeIfPacked(HFileBlock block) {
    ByteBuff bytes = block.getBufferReadOnly();
    int length = bytes.limit();
    return length == block.getOnDiskSizeWithHeader() || length == bytes.getInt(DATA_SIZE);
  }
}
