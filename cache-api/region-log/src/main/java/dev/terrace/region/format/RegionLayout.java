// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import dev.terrace.region.format.RegionEpoch.Part;
import dev.terrace.region.format.Superblock.CacheSecret;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The layout of a region. All numbers are little-endian.
 *
 * <pre>
 *   0        64                                             size-128    size
 *   +--------+---------+---------+-- ... --+-------+--------+-----------+
 *   | header | record  | record  |         | (free)| table  |  footer   |
 *   +--------+---------+---------+-- ... --+-------+--------+-----------+
 *
 *   header   0 magic (8)   8 version (2)   10 zero (2)   12 region (4)   16 life (8)
 *            24 first sequence (8)   32 opened, ms since 1970 (8)   40 zero (16)
 *            56 check of 0..55 (8)
 *
 *   footer   0 magic (8)   8 version (2)   10 zero (2)   12 region (4)   16 life (8)
 *            24 first sequence (8)   32 last sequence (8)   40 sealed, ms since 1970 (8)
 *            48 records (4)   52 files (4)   56 table bytes (4)   60 zero (4)
 *            64 table's check (8)   72 bytes put (8)   80 the same before compression (8)
 *            88 zero (32)   120 check of 0..119 (8)
 * </pre>
 *
 * <p>The checks are keyed, see {@link RegionEpoch}. A region is sealed if its header and its footer
 * are intact and of the same life. A header alone shows that the region was open: rooms for records
 * follow it, up to the first byte of another life.
 *
 * <p>The magic is erased first and written last. So a process that is killed in between leaves no
 * magic, and a structure without one is {@linkplain #isAbsent absent}, not damaged.
 */
public final class RegionLayout {

  static final short VERSION = 2;
  public static final int HEADER_BYTES = 64;
  public static final int FOOTER_BYTES = 128;
  public static final int FIRST_RECORD = HEADER_BYTES;

  /** {@code TerrRegn}. */
  private static final long HEADER_MAGIC = 0x6E67655272726554L;

  /** {@code TerrSeal}. */
  private static final long FOOTER_MAGIC = 0x6C61655372726554L;

  private static final int VERSION_AT = 8;
  private static final int REGION_AT = 12;
  private static final int LIFE_AT = 16;

  /** A header or footer ends with its check. */
  private static final int HEADER_CHECK = HEADER_BYTES - Long.BYTES;

  private static final int FOOTER_CHECK = FOOTER_BYTES - Long.BYTES;

  public record Header(int region, RegionEpoch life, long firstSequence, long openedMillis) {

    /** Writes the header to {@code target}, which is little-endian, at 0. */
    public void write(ByteBuffer target) {
      ByteBuffer header = begin(HEADER_BYTES, HEADER_MAGIC, region, life);
      header.putLong(24, firstSequence);
      header.putLong(32, openedMillis);
      header.putLong(HEADER_CHECK, life.check(Part.HEADER, 0, header, 0, HEADER_CHECK));
      publish(header, target);
    }

    /** Reads a header; null if there is none that this cache wrote for this region. */
    public static Header read(ByteBuffer source, CacheSecret secret, int region) {
      RegionEpoch life = whole(source, HEADER_MAGIC, secret, region, Part.HEADER, HEADER_CHECK);
      return life == null ? null : new Header(region, life, source.getLong(24), source.getLong(32));
    }

    /** Whether contents of this generation can have this header. */
    public boolean fits(long generation) {
      return firstSequence > 0 && Sequence.generation(firstSequence) <= generation;
    }
  }

  /**
   * The last bytes of a sealed region.
   *
   * @param putBytes bytes of the payloads that were put in the region, without those moved to it
   * @param putPlainBytes the same before compression and encryption
   */
  public record Footer(
      int region,
      RegionEpoch life,
      long firstSequence,
      long lastSequence,
      long sealedMillis,
      int records,
      int files,
      int tableBytes,
      long tableCheck,
      long putBytes,
      long putPlainBytes) {

    /** Writes the footer to {@code target}, which is little-endian, at 0. */
    public void write(ByteBuffer target) {
      ByteBuffer footer = begin(FOOTER_BYTES, FOOTER_MAGIC, region, life);
      footer.putLong(24, firstSequence);
      footer.putLong(32, lastSequence);
      footer.putLong(40, sealedMillis);
      footer.putInt(48, records);
      footer.putInt(52, files);
      footer.putInt(56, tableBytes);
      footer.putLong(64, tableCheck);
      footer.putLong(72, putBytes);
      footer.putLong(80, putPlainBytes);
      footer.putLong(FOOTER_CHECK, life.check(Part.FOOTER, 0, footer, 0, FOOTER_CHECK));
      publish(footer, target);
    }

    /** Reads a footer; null if there is none that this cache wrote for this region. */
    public static Footer read(ByteBuffer source, CacheSecret secret, int region) {
      RegionEpoch life = whole(source, FOOTER_MAGIC, secret, region, Part.FOOTER, FOOTER_CHECK);
      return life == null
          ? null
          : new Footer(
              region,
              life,
              source.getLong(24),
              source.getLong(32),
              source.getLong(40),
              source.getInt(48),
              source.getInt(52),
              source.getInt(56),
              source.getLong(64),
              source.getLong(72),
              source.getLong(80));
    }

    /** Whether contents of this generation can have this footer, and its table fits. */
    public boolean fits(int regionBytes, long generation) {
      return Sequence.generation(lastSequence) <= generation
          && Sequence.generation(firstSequence) == Sequence.generation(lastSequence)
          && firstSequence <= lastSequence
          && records >= 0
          && files >= 0
          && tableBytes >= 0
          && putBytes >= 0
          && putPlainBytes >= 0
          && tableBytes <= regionBytes - FIRST_RECORD - FOOTER_BYTES;
    }
  }

  /**
   * The end of a region.
   *
   * @param recordsEnd where the last record ends
   * @param tableStart where the table begins
   */
  public record Seal(Footer footer, int recordsEnd, int tableStart) {}

  private RegionLayout() {}

  private static ByteBuffer begin(int lengthBytes, long magic, int region, RegionEpoch life) {
    return RecordLayout.littleEndian(ByteBuffer.allocate(lengthBytes))
        .putLong(0, magic)
        .putShort(VERSION_AT, VERSION)
        .putInt(REGION_AT, region)
        .putLong(LIFE_AT, life.number());
  }

  private static void publish(ByteBuffer whole, ByteBuffer target) {
    target.putLong(0, 0);
    VarHandle.storeStoreFence();
    for (int at = Long.BYTES; at < whole.capacity(); at += Long.BYTES) {
      target.putLong(at, whole.getLong(at));
    }
    VarHandle.storeStoreFence();
    target.putLong(0, whole.getLong(0));
  }

  /** Removes the footer that {@code target} begins with. */
  public static void eraseFooter(ByteBuffer target) {
    publish(ByteBuffer.allocate(FOOTER_BYTES), target);
  }

  /** Whether neither a header nor a footer begins here, not even a damaged one. */
  public static boolean isAbsent(ByteBuffer source) {
    return source.getLong(0) == 0;
  }

  /** The life of a header or footer; null if it is not intact, or is of another region or cache. */
  private static RegionEpoch whole(
      ByteBuffer source, long magic, CacheSecret secret, int region, Part part, int checkAt) {
    RegionEpoch life = new RegionEpoch(secret, source.getLong(LIFE_AT));
    boolean isWhole =
        source.getLong(0) == magic
            && source.getShort(VERSION_AT) == VERSION
            && source.getInt(REGION_AT) == region
            && source.getLong(checkAt) == life.check(part, 0, source, 0, checkAt);
    return isWhole ? life : null;
  }

  public static int footerPosition(int regionBytes) {
    return regionBytes - FOOTER_BYTES;
  }

  /** The largest payload of a region: half of it, so that the room lost at its end is bounded. */
  public static int largestPayloadBytes(int regionBytes) {
    return Math.min(BlockAddress.MAX_PAYLOAD_BYTES, regionBytes / 2);
  }
}
