// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.Source;
import dev.terrace.tiered.TieredCache;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ObjectIntPair;

/** Puts HBase's blocks into the tiers, and settles conflicts under one key. Thread-safe. */
public record BlockInserter(TieredCache<Cacheable> tiers) {

  private static final RateLimitedLog LOG = new RateLimitedLog(BlockInserter.class);

  /**
   * Where the part of the header ends that belongs to the contents. In the last 9 bytes HBase
   * records the checksums that follow the block in its file: their type, the bytes that each
   * covers, and where they begin. A block that is cached when it is written has none; one that is
   * read from its file has them before 2.6, and in 3.0.0-alpha. So a comparison skips those bytes,
   * and the size of the next block, which only some readers know.
   */
  private static final int CHECKSUM_FIELDS = 24;

  /**
   * Caches a copy of a block.
   *
   * @param file the file that contains the block
   * @param inMemory whether the block's family asks to be kept in memory
   * @param source why it is cached
   * @return the outcome; {@link PutOutcome#BAD_BLOCK} if the cache held other bytes under the key,
   *     and now holds neither block
   */
  public PutOutcome put(
      CacheFile file, BlockCacheKey key, Cacheable block, boolean inMemory, Source source) {
    BlockTraits traits = traits(key, block, inMemory);
    long offset = key.getOffset();
    return settled(file, offset, block, () -> tiers.put(file, offset, block, traits, source));
  }

  /**
   * Caches a copy of a block that was rewritten from resident ones, as {@link
   * TieredCache#putRewritten} does.
   *
   * @param file the file that contains the block
   * @param inMemory whether the block's family asks to be kept in memory
   * @param fromTier the number of the tier that holds the original blocks
   * @return as {@link #put}
   */
  public PutOutcome putRewritten(
      CacheFile file, BlockCacheKey key, Cacheable block, boolean inMemory, int fromTier) {
    BlockTraits traits = traits(key, block, inMemory);
    long offset = key.getOffset();
    return settled(
        file, offset, block, () -> tiers.putRewritten(file, offset, block, traits, fromTier));
  }

  private static BlockTraits traits(BlockCacheKey key, Cacheable block, boolean inMemory) {
    BlockType type = block.getBlockType() != null ? block.getBlockType() : key.getBlockType();
    boolean isProtected = inMemory || (type != null && type.getCategory() != BlockCategory.DATA);
    return BlockTraits.of(
        BlockTypes.number(type), isProtected ? Residency.PROTECTED : Residency.ORDINARY);
  }

  /** Puts a block. If its key is taken, keeps or replaces the resident block, or drops both. */
  private PutOutcome settled(
      CacheFile file, long offset, Cacheable block, Supplier<PutOutcome> put) {
    PutOutcome outcome = put.get();
    if (outcome != PutOutcome.ALREADY_PRESENT) {
      return outcome;
    }
    Cacheable resident = tiers.get(file, offset, Access.UNCOUNTED);
    if (resident == null) {
      if (tiers.mayHold(file, offset)) {
        // A block that cannot be read now may have other bytes, and could be served later.
        tiers.evict(file, offset);
      }
      return put.get();
    }
    try {
      if (!isSame(resident, block)) {
        // A key's bytes never change, so one of the two is wrong, and nothing here tells which:
        // drop both. The next read gets the block from its file.
        tiers.evict(file, offset);
        LOG.warn(
            String.format(
                "Dropped %s@%d: HBase cached it twice with different contents; check the file with"
                    + " hbase hfile. Resident: %s; to be cached: %s",
                file, offset, resident, block),
            null);
        return PutOutcome.BAD_BLOCK;
      }
      if (!isRepacked(block, resident)) {
        return PutOutcome.ALREADY_PRESENT;
      }
    } finally {
      resident.release();
    }
    // HBase could not read the resident block's form, or it would not have missed.
    tiers.evict(file, offset);
    return put.get();
  }

  private static boolean isSame(Cacheable resident, Cacheable other) {
    return (resident instanceof HFileBlock one && other instanceof HFileBlock two)
        ? isSame(one, two)
        : serialized(resident).equals(serialized(other));
  }

  private static boolean isSame(HFileBlock one, HFileBlock other) {
    int header = one.headerSize();
    ByteBuff bytes = one.getBufferReadOnly();
    ByteBuff otherBytes = other.getBufferReadOnly();
    return offset(one) == offset(other)
        && header == other.headerSize()
        && part(bytes, 0, CHECKSUM_FIELDS).equals(part(otherBytes, 0, CHECKSUM_FIELDS))
        && (isRepacked(one, other)
            || part(bytes, header, bytes.limit())
                .equals(part(otherBytes, header, otherBytes.limit())));
  }

  /**
   * The offset that a block says it has in its file. From the metadata for {@code BucketCache}:
   * HBase 3 exposes it nowhere else.
   */
  public static long offset(HFileBlock block) {
    return block.getMetaData(ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE)).getLong(1);
  }

  /** Whether one of two blocks is packed, as in its file, and the other is not. */
  private static boolean isRepacked(Cacheable one, Cacheable other) {
    return PackedBlockFilter.isPacked(one) != PackedBlockFilter.isPacked(other);
  }

  /** A part of a block's bytes. The JDK compares many bytes at a time, HBase one. */
  private static ByteBuffer part(ByteBuff bytes, int from, int to) {
    ObjectIntPair<ByteBuffer> part = new ObjectIntPair<>();
    bytes.asSubByteBuffer(from, to - from, part);
    return part.getFirst().slice(part.getSecond(), to - from);
  }

  private static ByteBuffer serialized(Cacheable block) {
    ByteBuffer bytes = ByteBuffer.allocate(block.getSerializedLength());
    block.serialize(bytes, false);
    return bytes.rewind();
  }
}
