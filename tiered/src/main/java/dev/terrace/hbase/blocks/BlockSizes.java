// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.terrace.hbase.files.FileOrigin.Extent;
import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * Which blocks of files are cached, and how many bytes they take in their files. A prefetch asks
 * this block by block, to skip those that are cached. Thread-safe.
 *
 * <p>If all of a file is cached, a block ends where the next one starts, and nothing is read. Else
 * the block's header tells.
 *
 * <p>HBase 2 reads a block with the size that the last block it read gave for its successor. If it
 * skipped some in between, that is the size of another block, and the prefetch ends with an
 * exception. So once a thread has found that a block is missing, it is told no sizes of the blocks
 * behind it, and reads them all.
 */
public final class BlockSizes {

  /**
   * Whether a prefetch that has skipped cached blocks reads the next one with the size of another.
   */
  private static final boolean TAKES_SIZES_OF_SKIPPED_BLOCKS =
      VersionInfo.getVersion().startsWith("2.");

  /** More than the files that are prefetched at a time. */
  private static final int MOST_FILES = 8;

  private final TieredCache<?> tiers;
  private final KnownFiles known;

  /** Offsets of blocks of files asked for lately; immutable. */
  private final Cache<String, long[]> startsByFile =
      Caffeine.newBuilder().maximumSize(MOST_FILES).executor(Runnable::run).build();

  /** The block that the thread missed last. */
  @SuppressWarnings("ThreadLocalUsage") // caches share nothing
  private final ThreadLocal<Missing> lastMissing = new ThreadLocal<>();

  private record Missing(String file, long offset) {

    boolean isBefore(String otherFile, long otherOffset) {
      return offset < otherOffset && file.equals(otherFile);
    }
  }

  public BlockSizes(TieredCache<?> tiers, KnownFiles known) {
    this.tiers = tiers;
    this.known = known;
  }

  /** Whether a block is cached. */
  public boolean isCached(String file, long offset) {
    boolean isCached = tiers.contains(file, offset);
    if (!isCached && TAKES_SIZES_OF_SKIPPED_BLOCKS) {
      lastMissing.set(new Missing(file, offset));
    }
    return isCached;
  }

  /**
   * The size of a block with its header and checksums; nothing if it is not cached or unknown, or
   * if the thread has to read it.
   */
  public Optional<Integer> inFile(String file, long offset) {
    Missing missing = lastMissing.get();
    boolean isToBeRead = missing != null && missing.isBefore(file, offset);
    if (isToBeRead || !tiers.contains(file, offset)) {
      return Optional.empty();
    }
    long[] starts = starts(file);
    int index = Arrays.binarySearch(starts, offset);
    return index < 0 || index == starts.length - 1
        ? inHeader(file, offset)
        : Optional.of(Math.toIntExact(starts[index + 1] - offset));
  }

  private Optional<Integer> inHeader(String file, long offset) {
    byte[] header = new byte[HConstants.HFILEBLOCK_HEADER_SIZE];
    return tiers.head(file, offset, ByteBuffer.wrap(header)) ? inHeader(header) : Optional.empty();
  }

  /** Behind the magic of the block's type are its bytes on disk, big-endian, without the header. */
  private static Optional<Integer> inHeader(byte[] header) {
    try {
      BlockType.parse(header, 0, BlockType.MAGIC_LENGTH);
    } catch (IOException e) {
      // Another kind of block, or bytes that were damaged: the caller reads the block itself.
      return Optional.empty();
    }
    int sizeBytes = ByteBuffer.wrap(header).getInt(BlockType.MAGIC_LENGTH);
    return sizeBytes < 0 || sizeBytes > Integer.MAX_VALUE - header.length
        ? Optional.empty()
        : Optional.of(sizeBytes + header.length);
  }

  /** Where the blocks of a file start, and where the last one ends; empty if one is missing. */
  private long[] starts(String file) {
    long[] remembered = startsByFile.getIfPresent(file);
    if (remembered != null) {
      return remembered;
    }
    Extent extent = known.extent(file);
    if (extent == null) {
      return new long[0];
    }
    long[] starts = starts(file, extent);
    startsByFile.put(file, starts);
    return starts;
  }

  private long[] starts(String file, Extent extent) {
    long[] starts =
        Arrays.stream(tiers.offsets(file)).filter(start -> start < extent.endOffset()).toArray();
    if (starts.length == 0 || starts.length != extent.blocks()) {
      return new long[0];
    }
    long[] withEnd = Arrays.copyOf(starts, starts.length + 1);
    withEnd[starts.length] = extent.endOffset();
    return withEnd;
  }
}
