// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.api.Payloads;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Blocks of clients who can read the device: half of them hold bytes that were stolen from the very
 * regions that the blocks are written to, or forged records that know a region's life. All bytes
 * follow from the key, and from what was stolen.
 *
 * <p>The stolen records have right headers, and payloads that are wrong in a way that a CRC32C does
 * not see. So a cache that takes one of them for its own serves wrong bytes.
 */
final class HostileBlocks {

  static final int REGION_BYTES = 128 << 10;

  /** Blocks with less are ordinary ones, for which nothing has to be stolen. */
  static final long FIRST_HOSTILE_OFFSET = 1L << 32;

  static final int LARGEST_BYTES = REGION_BYTES / 2 - 1024;

  private static final int PIECES = 24;
  private static final int PIECE_BYTES = 8 << 10;

  /** The polynomial of CRC32C, of 33 bits: a multiple of it changes no remainder. */
  private static final long SAME_CRC = 0x82F63B78L << 1 | 1;

  /** From the start of a block to the next multiple of 64 in its region. */
  private static final int TO_ALIGNMENT =
      -RecordLayout.headerBytes(ForgedBytes.VICTIM.length()) & BlockAddress.RECORD_ALIGNMENT - 1;

  private final byte[] loot;

  private HostileBlocks(byte[] loot) {
    this.loot = loot;
  }

  /** Ordinary blocks. */
  static HostileBlocks none() {
    return new HostileBlocks(new byte[0]);
  }

  /** Steals from a cache: starts and ends of regions, and what is between. */
  static HostileBlocks steal(Path regionsFile, SplittableRandom random) throws IOException {
    ByteBuffer loot = RecordLayout.littleEndian(ByteBuffer.allocate(PIECES * PIECE_BYTES));
    try (RandomAccessFile file = new RandomAccessFile(regionsFile.toFile(), "r")) {
      int regions = Math.toIntExact(file.length() / REGION_BYTES);
      for (int piece = 0; piece < PIECES; piece++) {
        int within =
            switch (piece % 3) {
              case 0 -> 0;
              case 1 -> REGION_BYTES - PIECE_BYTES;
              default -> random.nextInt(REGION_BYTES - PIECE_BYTES);
            };
        file.seek((long) random.nextInt(regions) * REGION_BYTES + (within & -64));
        file.readFully(loot.array(), piece * PIECE_BYTES, PIECE_BYTES);
      }
    }
    for (int at = 0; at < loot.capacity(); at += BlockAddress.RECORD_ALIGNMENT) {
      alterPayload(loot, at);
    }
    return new HostileBlocks(loot.array());
  }

  /** Where two lines of 64 bytes meet, so that no harm to one line undoes it. */
  private static void alterPayload(ByteBuffer loot, int at) {
    if (loot.getInt(at) != RecordLayout.MAGIC) {
      return;
    }
    int from = at + RecordLayout.headerBytes(loot.getShort(at + RecordLayout.NAME_BYTES));
    int end = from + loot.getInt(at + RecordLayout.PAYLOAD_BYTES);
    int seam = RecordLayout.align(from + Long.BYTES, BlockAddress.RECORD_ALIGNMENT);
    int alter = seam - Integer.BYTES;
    if (from > at && alter + Long.BYTES <= Math.min(end, loot.capacity())) {
      loot.putLong(alter, loot.getLong(alter) ^ SAME_CRC);
    }
  }

  /** Those that {@link #save} saved. */
  static HostileBlocks load(Path file) throws IOException {
    return new HostileBlocks(Files.readAllBytes(file));
  }

  void save(Path file) throws IOException {
    Files.write(file, loot);
  }

  /** The offset of the n-th block. */
  long offset(long n) {
    return loot.length > 0 ? FIRST_HOSTILE_OFFSET + n : n;
  }

  /** The bytes of a block. */
  byte[] of(String file, long offset) {
    SplittableRandom random = new SplittableRandom(file.hashCode() * 31L + offset);
    int sizeBytes = 10 + random.nextInt(random.nextInt(12) == 0 ? LARGEST_BYTES - 10 : 3_000);
    if (offset < FIRST_HOSTILE_OFFSET || random.nextBoolean()) {
      return Payloads.of(file, offset, sizeBytes);
    }
    int piece = random.nextInt(PIECES);
    return random.nextInt(3) == 0
        ? forged(piece - piece % 3, Math.max(sizeBytes, 1_000))
        : stolen(piece, random, sizeBytes);
  }

  private byte[] stolen(int piece, SplittableRandom random, int sizeBytes) {
    byte[] block = new byte[sizeBytes];
    int to = random.nextInt(4) == 0 ? 0 : Math.min(sizeBytes, TO_ALIGNMENT);
    int from = piece * PIECE_BYTES;
    while (to < sizeBytes) {
      int length = Math.min(sizeBytes - to, loot.length - from);
      System.arraycopy(loot, from, block, to, length);
      to += length;
      from = 0;
    }
    return block;
  }

  /** Records of a life that the start of a region told of. */
  private byte[] forged(int piece, int sizeBytes) {
    int at = piece * PIECE_BYTES;
    ByteBuffer region =
        RecordLayout.littleEndian(ByteBuffer.wrap(Arrays.copyOfRange(loot, at, at + PIECE_BYTES)));
    return ForgedBytes.block(region, region.getInt(12), sizeBytes);
  }
}
