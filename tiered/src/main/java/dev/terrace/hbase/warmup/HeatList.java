// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The blocks of a region's files that a server had cached, their tiers, and their hits. {@code
 * docs/format.md} describes the encoding.
 *
 * @param writtenMillis when it was written, since 1970
 * @param files each once
 */
public record HeatList(long writtenMillis, List<OfFile> files) {

  /** The largest number of blocks in a list. */
  public static final int MAX_BLOCKS = 1 << 20;

  /** The largest number of bytes of an encoded list. */
  public static final int MAX_BYTES = 16 << 20;

  /** Maximum size of a block; no tier takes larger ones. */
  static final int MAX_BLOCK_BYTES = 64 << 20;

  /** All offsets of blocks in their files are below this. */
  public static final long END_OF_OFFSETS = 1L << 43;

  private static final long MAGIC = ByteBuffer.wrap(bytes("TerrHeat")).getLong();
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 20;
  private static final int CHECK_BYTES = 4;
  private static final int MAX_NAME_BYTES = 255;

  /** How hot a block is, in a byte: its hits since it was last examined, its tier, and its kind. */
  public static final class Mark {

    /** The tiers by number. A server need not have all of them. */
    public static final List<String> TIERS = List.of("dram", "pmem", "ssd");

    /** All marks are below this. */
    public static final int END = 32;

    private static final int MAX_HITS = 3;
    private static final int LAST_TIER = 3;
    private static final int TIER_SHIFT = 2;
    private static final int PROTECTED = 16;

    private Mark() {}

    public static byte of(int tier, boolean isProtected, int hits) {
      int capped = (Math.min(tier, LAST_TIER) << TIER_SHIFT) | Math.min(hits, MAX_HITS);
      return (byte) (isProtected ? capped | PROTECTED : capped);
    }

    /** The numbers in {@link #TIERS} of a server's tiers, the highest tier first. */
    public static int[] numbers(List<String> tierNames) {
      return tierNames.stream().mapToInt(TIERS::indexOf).toArray();
    }

    /**
     * The index of the server's tier of the same kind as the block's. If it has none, that of the
     * next lower tier, or else of its lowest.
     *
     * @param tiersHere the {@link #numbers} of the server's tiers
     */
    public static int tierHere(byte mark, int[] tiersHere) {
      int place = Arrays.binarySearch(tiersHere, tier(mark));
      return Math.min(place < 0 ? -place - 1 : place, tiersHere.length - 1);
    }

    /** The number of the block's tier in {@link #TIERS}. */
    public static int tier(byte mark) {
      return (mark >> TIER_SHIFT) & LAST_TIER;
    }

    public static int hits(byte mark) {
      return mark & MAX_HITS;
    }

    /** Whether the block is an index, a bloom filter, or of an in-memory family. */
    public static boolean isProtected(byte mark) {
      return (mark & PROTECTED) != 0;
    }

    /** The block's place in the order of warming, from 0, below {@link #END}. */
    public static int rank(byte mark) {
      return (isProtected(mark) ? 0 : PROTECTED)
          | (tier(mark) << TIER_SHIFT)
          | (MAX_HITS - hits(mark));
    }
  }

  /**
   * The blocks of a file, by ascending offset.
   *
   * @param sizes the approximate size of each in memory
   * @param marks see {@link Mark}
   */
  // The arrays are never changed after construction, and records are not compared.
  @SuppressWarnings("ArrayRecordComponent")
  public record OfFile(String file, long[] offsets, int[] sizes, byte[] marks) {

    public int blocks() {
      return offsets.length;
    }
  }

  /** Collects the blocks of a file, in any order and without duplicates. */
  public static final class Blocks {

    private record Block(int sizeBytes, byte mark) {}

    private final NavigableMap<Long, Block> byOffset = new TreeMap<>();

    public void add(long offset, int sizeBytes, byte mark) {
      if (offset >= 0 && offset < END_OF_OFFSETS && sizeBytes > 0 && byOffset.size() < MAX_BLOCKS) {
        byOffset.putIfAbsent(offset, new Block(Math.min(sizeBytes, MAX_BLOCK_BYTES), mark));
      }
    }

    public OfFile of(String file) {
      OfFile blocks =
          new OfFile(
              file, new long[byOffset.size()], new int[byOffset.size()], new byte[byOffset.size()]);
      int at = 0;
      for (Map.Entry<Long, Block> block : byOffset.entrySet()) {
        blocks.offsets[at] = block.getKey();
        blocks.sizes[at] = block.getValue().sizeBytes;
        blocks.marks[at++] = block.getValue().mark;
      }
      return blocks;
    }
  }

  public int blocks() {
    return files.stream().mapToInt(OfFile::blocks).sum();
  }

  /** The encoded list. If it would be too long, the coldest blocks are left out. */
  public byte[] encoded() {
    byte[] all = encoded(Mark.END);
    for (int end = Mark.END; all == null; ) {
      all = encoded(--end);
    }
    return all;
  }

  /** Encodes only the blocks of a smaller rank; null if that is too long. */
  private byte[] encoded(int endOfRanks) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        ByteBuffer.allocate(HEADER_BYTES)
            .putLong(MAGIC)
            .putInt(VERSION)
            .putLong(writtenMillis)
            .array());
    int written = 0;
    for (OfFile file : files) {
      int blocks = 0;
      for (byte mark : file.marks) {
        blocks += Mark.rank(mark) < endOfRanks ? 1 : 0;
      }
      byte[] name = bytes(file.file);
      if (blocks == 0 || name.length > MAX_NAME_BYTES) {
        continue;
      }
      written += blocks;
      if (written > MAX_BLOCKS) {
        return null;
      }
      write(name.length, out);
      out.writeBytes(name);
      write(blocks, out);
      long end = -1;
      for (int i = 0; i < file.blocks(); i++) {
        if (Mark.rank(file.marks[i]) < endOfRanks) {
          write(file.offsets[i] - end - 1, out);
          write(file.sizes[i], out);
          out.write(file.marks[i]);
          end = file.offsets[i];
        }
      }
    }
    byte[] checked = out.toByteArray();
    out.writeBytes(ByteBuffer.allocate(CHECK_BYTES).putInt(check(checked, checked.length)).array());
    return out.size() > MAX_BYTES ? null : out.toByteArray();
  }

  /** Writes a number in the format of {@link #number}. */
  private static void write(long number, ByteArrayOutputStream out) {
    long rest = number;
    for (; rest > 0x7f; rest >>>= 7) {
      out.write((int) (rest | 0x80));
    }
    out.write((int) rest);
  }

  /**
   * Decodes a list.
   *
   * @throws IOException with the reason if it is truncated, corrupt, or from another version
   */
  public static HeatList decoded(byte[] bytes) throws IOException {
    int length = bytes.length - CHECK_BYTES;
    if (length < HEADER_BYTES || bytes.length > MAX_BYTES) {
      throw new IOException("bytes=" + bytes.length + ", not a list of heat");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
    long magic = in.getLong();
    int version = in.getInt();
    if (magic != MAGIC) {
      throw new IOException("magic=" + Long.toHexString(magic) + ", not a list of heat");
    }
    if (version != VERSION) {
      throw new IOException("version=" + version + ", and " + VERSION + " is read here");
    }
    if (ByteBuffer.wrap(bytes).getInt(length) != check(bytes, length)) {
      throw new IOException("checksum of " + bytes.length + " bytes is wrong");
    }
    long writtenMillis = in.getLong();
    List<OfFile> files = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int blocks = 0;
    while (in.hasRemaining()) {
      OfFile file = file(in, MAX_BLOCKS - blocks);
      blocks += file.blocks();
      require(names.add(file.file), in, "a file comes twice");
      files.add(file);
    }
    return new HeatList(writtenMillis, files);
  }

  private static OfFile file(ByteBuffer in, int maxBlocks) throws IOException {
    byte[] name = new byte[(int) number(in, 1, Math.min(MAX_NAME_BYTES, in.remaining()))];
    require(name.length <= in.remaining(), in, "the name is cut");
    in.get(name);
    String file = text(name, in);
    // A block takes at least three bytes. Bounds the allocation by what can be there.
    int blocks = (int) number(in, 1, Math.min(maxBlocks, in.remaining() / 3));
    long[] offsets = new long[blocks];
    int[] sizes = new int[blocks];
    byte[] marks = new byte[blocks];
    long end = -1;
    for (int i = 0; i < blocks; i++) {
      offsets[i] = end + 1 + number(in, 0, END_OF_OFFSETS - 2 - end);
      sizes[i] = (int) number(in, 1, MAX_BLOCK_BYTES);
      require(in.hasRemaining(), in, "the mark is cut");
      marks[i] = in.get();
      require(marks[i] >= 0 && marks[i] < Mark.END, in, "the mark is wrong");
      end = offsets[i];
    }
    return new OfFile(file, offsets, sizes, marks);
  }

  private static String text(byte[] name, ByteBuffer in) throws IOException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException("position=" + in.position() + ": the name is no UTF-8", e);
    }
  }

  /** Reads a varint: 7 bits a byte, the lowest first; all but the last byte have their top bit. */
  private static long number(ByteBuffer in, long least, long most) throws IOException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE - 7; shift += 7) {
      require(in.hasRemaining(), in, "a number is cut");
      byte next = in.get();
      number |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        require(number >= least && number <= most, in, "number=" + number);
        return number;
      }
    }
    throw new IOException("position=" + in.position() + ": a number has no end");
  }

  private static void require(boolean isRight, ByteBuffer in, String what) throws IOException {
    if (!isRight) {
      throw new IOException("position=" + in.position() + ": " + what);
    }
  }

  private static int check(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
