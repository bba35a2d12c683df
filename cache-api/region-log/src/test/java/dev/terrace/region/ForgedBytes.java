// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.ByteArrayCodec;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TestFiles;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionEpoch;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.format.Superblock.CacheSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * Blocks that a client could store who knows the format byte by byte, and all of a region's life
 * but the cache's secret: full of records of another file's block, and with a footer.
 */
public final class ForgedBytes {

  /** A file that has no block of its own. */
  public static final String VICTIM = "5f0c1b2a9d8e7f6a5b4c3d2e1f0a9b8c";

  /** The traits of all blocks. */
  public static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private static final byte[] NAME = VICTIM.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EVIL = "forged bytes".getBytes(StandardCharsets.US_ASCII);
  private static final CacheSecret GUESS = new CacheSecret(0x6E6F, 0x7065);

  private ForgedBytes() {}

  /** Blocks that are any bytes, and may fail. */
  public static final class Codec extends ByteArrayCodec {

    private volatile boolean failing;

    /** Lets blocks fail after their bytes were written, or no more. */
    public void failing(boolean isFailing) {
      failing = isFailing;
    }

    @Override
    public void encode(byte[] block, ByteBuffer target) {
      super.encode(block, target);
      if (failing) {
        throw new IllegalStateException("simulated");
      }
    }
  }

  /** A file that clients write to; all names are of equal length. */
  public static String file(int number) {
    return String.format("%032x", number);
  }

  /** Puts a block as soon as there is room. */
  public static void put(RegionTier<byte[]> tier, String file, byte[] block) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> tier.put(TestFiles.file(file), 0, block, TRAITS, 0) == PutOutcome.STORED);
  }

  /** A genuine block. */
  public static byte[] genuine(int number) {
    byte[] block = new byte[100 + 77 * number % 3000];
    for (int i = 0; i < block.length; i++) {
      block[i] = (byte) (number + i);
    }
    return block;
  }

  /**
   * A forged block.
   *
   * @param region of it, the life and the first sequence are known
   * @param slot the region's number
   */
  public static byte[] block(ByteBuffer region, int slot, int sizeBytes) {
    ByteBuffer forged = RecordLayout.littleEndian(ByteBuffer.allocate(sizeBytes));
    ByteBuffer header = RecordLayout.littleEndian(region.duplicate());
    RegionEpoch life = new RegionEpoch(GUESS, header.getLong(16));
    int alignment = BlockAddress.RECORD_ALIGNMENT;
    int at = alignment - RecordLayout.headerBytes(NAME.length) % alignment;
    int recordBytes = RecordLayout.recordBytes(NAME.length, EVIL.length);
    long sequence = Math.max(1L << 40, header.getLong(24)) + 1_000_000;
    for (; at + recordBytes + RegionLayout.FOOTER_BYTES < sizeBytes; at += recordBytes) {
      BlockRecord.reserve(forged, at, life, recordBytes, sequence++);
      int payloadAt = at + RecordLayout.headerBytes(NAME.length);
      forged.put(payloadAt, EVIL);
      int crc = RecordLayout.crc(forged, payloadAt, EVIL.length);
      RegionTable.Entry entry =
          new RegionTable.Entry(at, EVIL.length, "", 0, sequence, TRAITS, true);
      BlockRecord.write(forged, life, NAME, entry, crc, 0, 0);
    }
    new RegionLayout.Footer(slot, life, sequence, sequence + 9, 0, 0, 0, 0, 0, 0, 0)
        .write(RecordLayout.littleEndian(forged.slice(at, RegionLayout.FOOTER_BYTES)));
    return forged.array();
  }
}
