// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.api.BlockKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;

/**
 * The blocks of a region's files that a server had cached, their tiers, and their hits. {@code
 * docs/format.md} describes the encoding.
 *
 * @param writtenMillis when it was written, since 1970
 * @param server the name of the server that wrote it, with its start code; empty if unknown
 * @param files each once
 */
public record HotList(long writtenMillis, String server, List<OfFile> files) {

  static final HotList EMPTY = new HotList(0, "", List.of());

  /** The largest number of blocks in a list. */
  public static final int MAX_BLOCKS = 1 << 20;

  /** The largest number of bytes of an encoded list. */
  public static final int MAX_BYTES = 16 << 20;

  /** Maximum size of a block; no tier takes larger ones. */
  static final int MAX_BLOCK_BYTES = 64 << 20;

  /** All offsets of blocks in their files are below this. */
  public static final long END_OF_OFFSETS = 1L << 43;

  /** The size of a sample: the standard error of a changed share of 5 % is 1.4 points. */
  private static final int MAX_HASHES = 256;

  private static final long MAGIC = ByteBuffer.wrap(bytes("TerrHeat")).getLong();
  private static final int VERSION = 2;

  /** Has no server. */
  private static final int FIRST_VERSION = 1;

  private static final int HEADER_BYTES = 20;
  private static final int CHECK_BYTES = 4;
  private static final int MAX_NAME_BYTES = 255;

  /**
   * A cached block.
   *
   * @param sizeBytes its approximate size in memory
   * @param mark how hot it is, see {@link #mark}
   */
  public record Block(long offset, int sizeBytes, byte mark) {

    /** The tiers by number. A server need not have all of them. */
    public static final List<String> TIERS = List.of("dram", "pmem", "ssd");

    /** All marks are below this. */
    public static final int END_OF_MARKS = 32;

    private static final int MAX_HITS = 3;
    private static final int LAST_TIER = 3;
    private static final int TIER_SHIFT = 2;
    private static final int PROTECTED = 16;

    /** How hot a block is: its hits since it was last examined, its tier, and its kind. */
    public static byte mark(int tier, boolean isProtected, int hits) {
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
    public int tierHere(int[] tiersHere) {
      int place = Arrays.binarySearch(tiersHere, tier());
      return Math.min(place < 0 ? -place - 1 : place, tiersHere.length - 1);
    }

    /** The number of the block's tier in {@link #TIERS}. */
    public int tier() {
      return (mark >> TIER_SHIFT) & LAST_TIER;
    }

    public int hits() {
      return mark & MAX_HITS;
    }

    /** Whether the block is an index, a bloom filter, or of an in-memory family. */
    public boolean isProtected() {
      return (mark & PROTECTED) != 0;
    }

    /** The block's place in the order of warming, from 0, below {@link #END_OF_MARKS}. */
    public int rank() {
      return (isProtected() ? 0 : PROTECTED) | (tier() << TIER_SHIFT) | (MAX_HITS - hits());
    }

    private boolean fits() {
      return offset >= 0
          && offset < END_OF_OFFSETS
          && sizeBytes > 0
          && sizeBytes <= MAX_BLOCK_BYTES;
    }
  }

  /**
   * The blocks of a file.
   *
   * @param blocks by ascending offset, each offset once
   */
  public record OfFile(String file, List<Block> blocks) {

    /** Takes blocks in any order; the first of several with one offset counts. */
    public static OfFile of(String file, List<Block> blocks) {
      NavigableMap<Long, Block> byOffset = new TreeMap<>();
      blocks.stream().filter(Block::fits).forEach(each -> byOffset.putIfAbsent(each.offset, each));
      return new OfFile(file, List.copyOf(byOffset.values()));
    }

    private LongStream hashes() {
      return blocks.stream()
          .mapToLong(block -> BlockKey.hash(file.hashCode(), block.offset * 4 + block.tier()));
    }
  }

  public int blocks() {
    return files.stream().mapToInt(file -> file.blocks.size()).sum();
  }

  /**
   * A sample of the blocks and their tiers, by which two lists are compared without either: the
   * smallest hashes, ascending (bottom-k sketch; Cohen and Kaplan 2007).
   */
  public long[] sample() {
    return smallest(files.stream().flatMapToLong(OfFile::hashes));
  }

  /** The share of the blocks of two sampled lists that only one has; 0 if both are empty. */
  public static double changedShare(long[] one, long[] other) {
    long[] both = smallest(LongStream.concat(LongStream.of(one), LongStream.of(other)));
    long changed =
        LongStream.of(both)
            .filter(
                hash -> Arrays.binarySearch(one, hash) < 0 || Arrays.binarySearch(other, hash) < 0)
            .count();
    return both.length == 0 ? 0 : (double) changed / both.length;
  }

  private static long[] smallest(LongStream hashes) {
    return hashes.sorted().distinct().limit(MAX_HASHES).toArray();
  }

  /** The encoded list. If it would be too long, the coldest blocks are left out. */
  public byte[] encoded() throws IOException {
    byte[] all = encoded(Block.END_OF_MARKS);
    for (int end = Block.END_OF_MARKS; all == null; ) {
      all = encoded(--end);
    }
    return all;
  }

  /** Encodes only the blocks of a smaller rank; null if that is too long. */
  private byte[] encoded(int endOfRanks) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(
        ByteBuffer.allocate(HEADER_BYTES)
            .putLong(MAGIC)
            .putInt(VERSION)
            .putLong(writtenMillis)
            .array());
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeStringNoTag(server);
    int written = 0;
    for (OfFile file : files) {
      List<Block> blocks = file.blocks.stream().filter(block -> block.rank() < endOfRanks).toList();
      if (blocks.isEmpty() || bytes(file.file).length > MAX_NAME_BYTES) {
        continue;
      }
      written += blocks.size();
      if (written > MAX_BLOCKS) {
        return null;
      }
      out.writeStringNoTag(file.file);
      out.writeUInt32NoTag(blocks.size());
      long end = -1;
      for (Block block : blocks) {
        out.writeUInt64NoTag(block.offset - end - 1);
        out.writeUInt32NoTag(block.sizeBytes);
        out.write(block.mark);
        end = block.offset;
      }
    }
    out.flush();
    byte[] checked = bytes.toByteArray();
    bytes.writeBytes(
        ByteBuffer.allocate(CHECK_BYTES).putInt(check(checked, checked.length)).array());
    return bytes.size() > MAX_BYTES ? null : bytes.toByteArray();
  }

  /**
   * Decodes a list.
   *
   * @throws IOException with the reason if it is truncated, corrupt, or from another version
   */
  public static HotList decoded(byte[] bytes) throws IOException {
    int length = bytes.length - CHECK_BYTES;
    if (length < HEADER_BYTES || bytes.length > MAX_BYTES) {
      throw new IOException("not a warm-up list: bytes=" + bytes.length);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
    long magic = in.getLong();
    int version = in.getInt();
    if (magic != MAGIC) {
      throw new IOException("not a warm-up list: magic=" + Long.toHexString(magic));
    }
    if (version < FIRST_VERSION || version > VERSION) {
      throw new IOException("unknown version=" + version + ", expected at most " + VERSION);
    }
    if (ByteBuffer.wrap(bytes).getInt(length) != check(bytes, length)) {
      throw new IOException("checksum mismatch: bytes=" + bytes.length);
    }
    long writtenMillis = in.getLong();
    CodedInputStream rest = CodedInputStream.newInstance(in);
    rest.pushLimit(in.remaining());
    List<OfFile> files = new ArrayList<>();
    String server = "";
    int blocks = 0;
    try {
      if (version > FIRST_VERSION) {
        server = rest.readStringRequireUtf8();
        require(bytes(server).length <= MAX_NAME_BYTES, "serverBytes=" + bytes(server).length);
      }
      while (!rest.isAtEnd()) {
        OfFile file = file(rest, MAX_BLOCKS - blocks);
        blocks += file.blocks.size();
        files.add(file);
      }
    } catch (IOException e) {
      int position = HEADER_BYTES + rest.getTotalBytesRead();
      throw new IOException("position=" + position + ": " + e.getMessage(), e);
    }
    return new HotList(writtenMillis, server, files);
  }

  private static OfFile file(CodedInputStream in, int maxBlocks) throws IOException {
    String file = in.readStringRequireUtf8();
    int nameBytes = bytes(file).length;
    require(nameBytes > 0 && nameBytes <= MAX_NAME_BYTES, "nameBytes=" + nameBytes);
    // A block takes at least three bytes. Bounds the allocation by what can be there.
    int count = (int) number(in, 1, Math.min(maxBlocks, in.getBytesUntilLimit() / 3));
    List<Block> blocks = new ArrayList<>(count);
    long end = -1;
    for (int i = 0; i < count; i++) {
      long offset = end + 1 + number(in, 0, END_OF_OFFSETS - 2 - end);
      int sizeBytes = (int) number(in, 1, MAX_BLOCK_BYTES);
      byte mark = in.readRawByte();
      require(mark >= 0 && mark < Block.END_OF_MARKS, "mark=" + mark);
      blocks.add(new Block(offset, sizeBytes, mark));
      end = offset;
    }
    return new OfFile(file, blocks);
  }

  private static long number(CodedInputStream in, long least, long most) throws IOException {
    long number = in.readUInt64();
    require(number >= least && number <= most, "number=" + number);
    return number;
  }

  private static void require(boolean isRight, String what) throws IOException {
    if (!isRight) {
      throw new IOException(what);
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
