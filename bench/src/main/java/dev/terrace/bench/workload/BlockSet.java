// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomDataGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlockBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;

/**
 * The blocks of a benchmark: data blocks as an HFile reader creates them, numbered from 0, one
 * after the other in files of {@value #BLOCKS_PER_FILE} blocks by default. Their bytes are derived
 * from their numbers, so a wrong block is found. Immutable and thread-safe.
 *
 * <p>Each use of a file has a name {@code String} of its own, equal to the others but never the
 * same object, as with two readers of one HFile: a lookup cannot find its file by identity.
 */
public final class BlockSet {

  /** How many blocks a file has by default; the last file may have fewer. */
  public static final int BLOCKS_PER_FILE = 512;

  /** The bytes that HBase adds to a block in a cache: its header, and a few fields. */
  public static final int OVERHEAD_BYTES =
      HConstants.HFILEBLOCK_HEADER_SIZE + HFileBlock.BLOCK_METADATA_SPACE;

  private static final long NAME_SEED = 20_260_101L;
  private static final int CHECKSUM_SIZE_BYTES = 4;
  private static final int HEADER_SIZE_BYTES = HConstants.HFILEBLOCK_HEADER_SIZE;

  private final int[] dataSizesBytes;
  private final int blocksPerFile;
  private final long[] offsets;
  private final List<String> fileNames;
  private final HFileContext context;

  private BlockSet(int[] dataSizesBytes, int blocksPerFile) {
    this.dataSizesBytes = dataSizesBytes;
    this.blocksPerFile = blocksPerFile;
    Random random = new Random(NAME_SEED);
    this.fileNames =
        Stream.generate(() -> new UUID(random.nextLong(), random.nextLong()))
            .limit((dataSizesBytes.length + blocksPerFile - 1) / blocksPerFile)
            .map(id -> id.toString().replace("-", ""))
            .toList();
    this.context =
        new HFileContextBuilder()
            .withHBaseCheckSum(true)
            .withChecksumType(ChecksumType.CRC32C)
            .withBytesPerCheckSum(16 * 1024)
            .build();
    this.offsets = new long[dataSizesBytes.length];
    long end = 0;
    for (int block = 0; block < offsets.length; block++) {
      if (block % blocksPerFile == 0) {
        end = 0;
      }
      offsets[block] = end;
      end += onDiskSizeBytes(block);
    }
  }

  /** Blocks of one data size, in bytes without the header; at least 24. */
  public static BlockSet ofOneSize(int blocks, int dataSizeBytes) {
    int[] sizes = new int[blocks];
    Arrays.fill(sizes, dataSizeBytes);
    return ofSizes(sizes);
  }

  /** Blocks of the given data sizes, in bytes without their headers; each at least 24. */
  public static BlockSet ofSizes(int[] dataSizesBytes) {
    return new BlockSet(dataSizesBytes.clone(), BLOCKS_PER_FILE);
  }

  public BlockSet inFilesOf(int blocks) {
    return new BlockSet(dataSizesBytes, blocks);
  }

  public int size() {
    return dataSizesBytes.length;
  }

  public int bufferBytes(int block) {
    return HEADER_SIZE_BYTES + dataSizesBytes[block];
  }

  /** The bytes of a block that a cache must keep: its data, and what HBase adds. */
  public int payloadBytes(int block) {
    return dataSizesBytes[block] + OVERHEAD_BYTES;
  }

  public long payloadBytes() {
    return IntStream.range(0, size()).mapToLong(this::payloadBytes).sum();
  }

  public List<String> fileNames() {
    return fileNames;
  }

  public String file(int block) {
    return fileNames.get(block / blocksPerFile);
  }

  public long offset(int block) {
    return offsets[block];
  }

  /**
   * Returns the block at an offset of the file with an index in {@link #fileNames}; else negative.
   */
  public int blockAt(int file, long offset) {
    int first = file * blocksPerFile;
    return Arrays.binarySearch(offsets, first, Math.min(first + blocksPerFile, size()), offset);
  }

  /** New keys for all blocks, with one new {@code String} per file, as for one more reader. */
  public BlockCacheKey[] newKeys() {
    BlockCacheKey[] keys = new BlockCacheKey[size()];
    String name = null;
    for (int block = 0; block < keys.length; block++) {
      if (block % blocksPerFile == 0) {
        name = new String(file(block).toCharArray());
      }
      keys[block] = new BlockCacheKey(name, offsets[block], true, BlockType.DATA);
    }
    return keys;
  }

  /** A new block on the Java heap, as HBase passes it to a cache after a miss. */
  public HFileBlock newBlock(int block) {
    ByteBuffer buffer = ByteBuffer.allocate(bufferBytes(block));
    for (int position : stampPositions(block)) {
      buffer.putLong(position, stampAt(block, position));
    }
    return blockOver(block, buffer);
  }

  /**
   * A new block over given bytes. Blocks of one size may share them: a block writes only its
   * header, which is the same for all of them.
   *
   * @param memory exactly as large as {@link #bufferBytes} says
   */
  public HFileBlock newBlockOver(int block, byte[] memory) {
    return blockOver(block, ByteBuffer.wrap(memory));
  }

  /** Throws an IllegalStateException unless a cache returned this block with the right bytes. */
  public void verify(int block, Cacheable found) {
    if (!(found instanceof HFileBlock hfileBlock)) {
      throw new IllegalStateException("block " + block + ": got " + found);
    }
    ByteBuff bytes = hfileBlock.getBufferReadOnly();
    int expectedBytes = bufferBytes(block);
    if (hfileBlock.getOffset() != offsets[block] || bytes.limit() != expectedBytes) {
      throw new IllegalStateException(
          String.format(
              "block %d: expected offset=%d bytes=%d, got %s",
              block, offsets[block], expectedBytes, found));
    }
    for (int position : stampPositions(block)) {
      if (bytes.getLong(position) != stampAt(block, position)) {
        throw new IllegalStateException(
            "block " + block + ": wrong bytes at position=" + position + ": " + found);
      }
    }
  }

  /**
   * Verifies and releases the result of a lookup; returns whether it was a hit.
   *
   * @param found null for a miss
   * @throws IllegalStateException if it is another block, or its bytes are wrong
   */
  public boolean isHit(int block, Cacheable found) {
    if (found == null) {
      return false;
    }
    try {
      verify(block, found);
      return true;
    } finally {
      found.release();
    }
  }

  private HFileBlock blockOver(int block, ByteBuffer buffer) {
    int checksumsBytes = onDiskSizeBytes(block) - HEADER_SIZE_BYTES - dataSizesBytes[block];
    return new HFileBlockBuilder()
        .withBlockType(BlockType.DATA)
        .withOnDiskSizeWithoutHeader(dataSizesBytes[block] + checksumsBytes)
        .withUncompressedSizeWithoutHeader(dataSizesBytes[block])
        .withOnDiskDataSizeWithHeader(bufferBytes(block))
        .withPrevBlockOffset(-1)
        .withOffset(offsets[block])
        .withNextBlockOnDiskSize(-1)
        .withHFileContext(context)
        .withByteBuff(ByteBuff.wrap(buffer))
        .withFillHeader(true)
        .withShared(false)
        .withByteBuffAllocator(ByteBuffAllocator.HEAP)
        .build();
  }

  private int onDiskSizeBytes(int block) {
    int checked = bufferBytes(block);
    int bytesPerChecksum = context.getBytesPerChecksum();
    int checksums = (checked + bytesPerChecksum - 1) / bytesPerChecksum;
    return checked + checksums * CHECKSUM_SIZE_BYTES;
  }

  private int[] stampPositions(int block) {
    int end = bufferBytes(block);
    return new int[] {
      HEADER_SIZE_BYTES, HEADER_SIZE_BYTES + dataSizesBytes[block] / 2, end - Long.BYTES
    };
  }

  private static long stampAt(int block, int position) {
    return (block + 1L) * 0x9e3779b97f4a7c15L + position;
  }

  /** Lookups of keys by Zipf's law. The popular keys are scattered over the files. */
  public static final class ZipfKeys {

    public static final double EXPONENT = 0.99;

    /** Fixed, so that all threads and all runs agree on which keys are popular. */
    private static final long SCRAMBLE_SEED = 0x7e55ace;

    private ZipfKeys() {}

    /** Draws numbers of keys, from 0; the same seed draws the same ones. */
    public static int[] draw(int keys, int draws, long seed) {
      ZipfDistribution ranks = new ZipfDistribution(new Well19937c(seed), keys, EXPONENT);
      int[] keyOfRank =
          new RandomDataGenerator(new Well19937c(SCRAMBLE_SEED)).nextPermutation(keys, keys);
      int[] drawn = new int[draws];
      Arrays.setAll(drawn, i -> keyOfRank[ranks.sample() - 1]);
      return drawn;
    }
  }
}
