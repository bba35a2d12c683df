// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;

/** Makes blocks whose bytes follow from their key, so that a wrong one is found. */
public final class TestBlocks {

  private static final int HEADER_BYTES = HConstants.HFILEBLOCK_HEADER_SIZE;

  private TestBlocks() {}

  public static BlockCacheKey key(String file, long offset) {
    return new BlockCacheKey(file, offset, true, BlockType.DATA);
  }

  /** A data block, header included {@code sizeBytes} large, which does not know the next one. */
  public static HFileBlock data(String file, long offset, int sizeBytes) {
    return block(file, offset, sizeBytes, BlockType.DATA, -1);
  }

  public static HFileBlock block(
      String file, long offset, int sizeBytes, BlockType type, int nextBlockOnDiskSize) {
    return block(file.hashCode() * 31L + offset, offset, sizeBytes, type, nextBlockOnDiskSize);
  }

  public static HFileBlock block(
      long seed, long offset, int sizeBytes, BlockType type, int nextBlockOnDiskSize) {
    return block(seed, offset, sizeBytes, type, nextBlockOnDiskSize, ChecksumType.NULL);
  }

  /** A block as a flush of a table's family {@code f} hands it over. */
  public static HFileBlock written(String file, long offset, int sizeBytes, BlockType type) {
    HFileContext context =
        new HFileContextBuilder()
            .withHBaseCheckSum(true)
            .withBytesPerCheckSum(0)
            .withChecksumType(ChecksumType.NULL)
            .withTableName(new byte[] {'t'})
            .withColumnFamily(new byte[] {'f'})
            .build();
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(file.hashCode() * 31L + offset).nextBytes(bytes);
    return new HFileBlock(
        type,
        sizeBytes - HEADER_BYTES,
        sizeBytes - HEADER_BYTES,
        -1,
        ByteBuff.wrap(ByteBuffer.wrap(bytes)),
        HFileBlock.FILL_HEADER,
        offset,
        -1,
        sizeBytes,
        context,
        ByteBuffAllocator.HEAP);
  }

  /** A data block as it is in a compressed file, half as large as when it is unpacked. */
  public static HFileBlock packed(String file, long offset, int sizeBytes) {
    return inForm(file, offset, sizeBytes, sizeBytes);
  }

  /** The unpacked form of such a block. */
  public static HFileBlock unpacked(HFileBlock packed, String file) {
    int sizeBytes = packed.getOnDiskSizeWithHeader();
    return inForm(file, packed.getOffset(), sizeBytes, HEADER_BYTES + 2 * sizeBytes);
  }

  private static HFileBlock inForm(String file, long offset, int onDiskBytes, int cachedBytes) {
    byte[] bytes = new byte[cachedBytes];
    new SplittableRandom(file.hashCode() * 31L + offset).nextBytes(bytes);
    HFileContext context =
        new HFileContextBuilder()
            .withHBaseCheckSum(true)
            .withBytesPerCheckSum(0)
            .withChecksumType(ChecksumType.NULL)
            .build();
    return new HFileBlock(
        BlockType.DATA,
        onDiskBytes - HEADER_BYTES,
        2 * onDiskBytes,
        -1,
        ByteBuff.wrap(ByteBuffer.wrap(bytes)),
        HFileBlock.FILL_HEADER,
        offset,
        -1,
        onDiskBytes,
        context,
        ByteBuffAllocator.HEAP);
  }

  /** The block as HBase 2.5 reads it from its file: its header still names the checksums there. */
  static HFileBlock readByOlderHBase(
      long seed, long offset, int sizeBytes, BlockType type, int nextBlockOnDiskSize) {
    return block(seed, offset, sizeBytes, type, nextBlockOnDiskSize, ChecksumType.CRC32C);
  }

  private static HFileBlock block(
      long seed,
      long offset,
      int sizeBytes,
      BlockType type,
      int nextBlockOnDiskSize,
      ChecksumType checksums) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return block(bytes, offset, type, nextBlockOnDiskSize, checksums);
  }

  /** A block that shrinks to a few hundred bytes when it is compressed. */
  static HFileBlock compressible(String file, long offset, int sizeBytes, BlockType type) {
    byte[] period = new byte[100];
    new SplittableRandom(file.hashCode() * 31L + offset).nextBytes(period);
    byte[] bytes = new byte[sizeBytes];
    for (int i = 0; i < sizeBytes; i++) {
      bytes[i] = period[i % period.length];
    }
    return block(bytes, offset, type, -1, ChecksumType.NULL);
  }

  private static HFileBlock block(
      byte[] bytes, long offset, BlockType type, int nextBlockOnDiskSize, ChecksumType checksums) {
    int sizeBytes = bytes.length;
    boolean hasChecksums = checksums != ChecksumType.NULL;
    HFileContext context =
        new HFileContextBuilder()
            .withHBaseCheckSum(true)
            .withBytesPerCheckSum(hasChecksums ? 16 << 10 : 0)
            .withChecksumType(checksums)
            .build();
    return new HFileBlock(
        type,
        sizeBytes - HEADER_BYTES,
        sizeBytes - HEADER_BYTES,
        -1,
        ByteBuff.wrap(ByteBuffer.wrap(bytes)),
        HFileBlock.FILL_HEADER,
        offset,
        nextBlockOnDiskSize,
        hasChecksums ? sizeBytes - 20 : sizeBytes,
        context,
        ByteBuffAllocator.HEAP);
  }
}
