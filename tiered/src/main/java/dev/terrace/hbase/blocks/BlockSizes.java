// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * Tells which blocks of a file are cached, and their sizes in the file, which the block headers
 * contain. A prefetch asks block by block, to skip those that are cached. Thread-safe.
 *
 * <p>HBase 2 reads a block with the size that the last block it read gave for its successor. If it
 * skipped blocks in between, that is the size of another block, and the prefetch ends with an
 * exception. So once a thread has found a block missing, it gets no sizes of the blocks behind it,
 * and reads them all.
 */
public final class BlockSizes {

  /** Whether a prefetch that has skipped blocks reads the next one with another block's size. */
  private static final boolean TAKES_SIZES_OF_SKIPPED_BLOCKS =
      VersionInfo.getVersion().startsWith("2.");

  private final TieredCache<?> tiers;

  /** The last block that the thread found missing. */
  @SuppressWarnings("ThreadLocalUsage") // caches share nothing
  private final ThreadLocal<BlockKey> lastMissing = new ThreadLocal<>();

  public BlockSizes(TieredCache<?> tiers) {
    this.tiers = tiers;
  }

  public boolean isCached(CacheFile file, long offset) {
    boolean isCached = tiers.contains(file, offset);
    if (!isCached && TAKES_SIZES_OF_SKIPPED_BLOCKS) {
      lastMissing.set(new BlockKey(file, offset));
    }
    return isCached;
  }

  /**
   * The size of a block with its header and checksums; empty if the block is not cached, its size
   * is unknown, or the thread has to read it.
   */
  public Optional<Integer> inFile(CacheFile file, long offset) {
    BlockKey missing = lastMissing.get();
    boolean isToBeRead =
        missing != null && missing.offset() < offset && missing.file().name().equals(file.name());
    if (isToBeRead || !tiers.contains(file, offset)) {
      return Optional.empty();
    }
    byte[] header = new byte[HConstants.HFILEBLOCK_HEADER_SIZE];
    return tiers.head(file, offset, ByteBuffer.wrap(header)) ? inHeader(header) : Optional.empty();
  }

  /** After the type's magic comes the size on disk: big-endian, without the header. */
  private static Optional<Integer> inHeader(byte[] header) {
    try {
      BlockType.parse(header, 0, BlockType.MAGIC_LENGTH);
    } catch (IOException e) {
      // Another kind of block, or a corrupt one: the caller reads the block itself.
      return Optional.empty();
    }
    int sizeBytes = ByteBuffer.wrap(header).getInt(BlockType.MAGIC_LENGTH);
    return sizeBytes < 0 || sizeBytes > Integer.MAX_VALUE - header.length
        ? Optional.empty()
        : Optional.of(sizeBytes + header.length);
  }
}
