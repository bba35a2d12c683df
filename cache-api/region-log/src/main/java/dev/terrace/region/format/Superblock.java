// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * The description of a folder. The file {@code superblock} has three pages: two with a copy each,
 * which are written one after the other, and an unused one. A copy takes the first {@link
 * #COPY_BYTES} of its page. No other bytes of the file matter. All numbers are little-endian.
 *
 * <pre>
 *    0                   4                   8                  12
 *    +-------------------+-------------------+-------------------+-------------------+
 *  0 | magic "TERRACE\n"                     | format version    | kind              |
 *    +-------------------+-------------------+-------------------+-------------------+
 * 16 | id, high half                         | id, low half                          |
 *    +-------------------+-------------------+-------------------+-------------------+
 * 32 | generation                            | bytes of a region | regions           |
 *    +-------------------+-------------------+-------------------+-------------------+
 * 48 | started empty at, ms                  | opened at, ms                         |
 *    +-------------------+-------------------+-------------------+-------------------+
 * 64 | secret, high half                     | secret, low half                      |
 *    +---------+---------+-------------------+-------------------+-------------------+
 * 80 | n (2)   | contents, n bytes of UTF-8, then zeros                              |
 *    +---------+                                                 +-------------------+
 * 496|                                       | place             | CRC32C of 0..507  |
 *    +-------------------+-------------------+-------------------+-------------------+
 * </pre>
 *
 * <p>The magic and the format version of the first copy have the same positions in all versions.
 *
 * @param kind the kind of device
 * @param id random, new each time the folder was started empty; for people
 * @param secret random, new each time the folder was started empty; keys the checks of its regions
 * @param generation how often the contents were opened; 1 when they were started empty
 * @param geometry how many regions of what size
 * @param contents the settings that the contents depend on, as a text of the owner
 * @param createdMillis when the folder was started empty, by the wall clock
 * @param openedMillis when it was opened last, by the wall clock
 * @param place where it was opened last, as a number that a copy does not have; 0 if unknown
 */
public record Superblock(
    DeviceKind kind,
    UUID id,
    CacheSecret secret,
    long generation,
    DeviceGeometry geometry,
    String contents,
    long createdMillis,
    long openedMillis,
    int place) {

  /** The version of the folder and of all that is in it. */
  public static final int FORMAT_VERSION = 2;

  /** The oldest version that can be read: that of the first release, for as long as possible. */
  private static final int OLDEST_VERSION = 2;

  /** The letters {@code TERRACE} and a line feed, the first letter in the lowest byte. */
  private static final long MAGIC = 0x0A45_4341_5252_4554L;

  public static final int VERSION = 8;
  private static final int KIND = 12;
  private static final int PLACE = 504;
  private static final int CHECKSUM = 508;
  public static final int COPY_BYTES = 512;
  public static final int MAX_CONTENTS_BYTES = 256;

  /** The largest unit that a power cut tears, so no write to one page harms another. */
  private static final int PAGE_BYTES = 4096;

  public static final int FIRST_COPY = 0;
  public static final int SECOND_COPY = PAGE_BYTES;
  public static final int FILE_BYTES = 3 * PAGE_BYTES;

  /** The superblock of a folder that is started empty. */
  public static Superblock fresh(
      DeviceKind kind, DeviceGeometry geometry, String contents, long nowMillis, int place) {
    return new Superblock(
        kind,
        UUID.randomUUID(),
        CacheSecret.random(),
        1,
        geometry,
        contents,
        nowMillis,
        nowMillis,
        place);
  }

  /** The superblock of the same contents when they are opened again. */
  public Superblock next(DeviceGeometry wanted, long nowMillis, int itsPlace) {
    return new Superblock(
        kind, id, secret, generation + 1, wanted, contents, createdMillis, nowMillis, itsPlace);
  }

  /** The superblock of the same contents when their number of regions changes in use. */
  public Superblock resized(DeviceGeometry wanted) {
    return new Superblock(
        kind, id, secret, generation, wanted, contents, createdMillis, openedMillis, place);
  }

  public byte[] encode() {
    byte[] utf8 = contents.getBytes(UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(COPY_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(MAGIC)
            .putInt(FORMAT_VERSION)
            .putInt(kind.code)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .putLong(generation)
            .putInt(geometry.regionBytes())
            .putInt(geometry.regions())
            .putLong(createdMillis)
            .putLong(openedMillis)
            .putLong(secret.high)
            .putLong(secret.low)
            .putShort((short) utf8.length)
            .put(utf8)
            .putInt(PLACE, place);
    return bytes.putInt(CHECKSUM, RecordLayout.crc(bytes, 0, CHECKSUM)).array();
  }

  /**
   * Reads a superblock file: of two intact copies, the one with the larger generation. If there is
   * none, returns the reason. Never throws.
   */
  public static Reading decode(byte[] file) {
    Reading first = decodeCopy(copy(file, FIRST_COPY));
    Reading second = decodeCopy(copy(file, SECOND_COPY));
    boolean isSecond = second.generation() > first.generation();
    Reading newer = isSecond ? second : first;
    Reading other = isSecond ? first : second;
    if (newer.superblock.isPresent()) {
      return other.superblock.isPresent() ? newer : newer.besideDamaged(other);
    }
    return file.length <= SECOND_COPY || first.fault.equals(second.fault)
        ? first
        : new Reading(
            Optional.empty(),
            first.fault + "; in the second copy, " + second.fault,
            Math.max(first.otherVersion, second.otherVersion));
  }

  /** Whether only the first copy is of the last opening, because a crash prevented the second. */
  public static boolean isFirstCopyNewer(byte[] file) {
    Reading first = decodeCopy(copy(file, FIRST_COPY));
    return first.generation() > decodeCopy(copy(file, SECOND_COPY)).generation();
  }

  private static byte[] copy(byte[] file, int position) {
    int end = Math.min(file.length, position + COPY_BYTES);
    return position < end ? Arrays.copyOfRange(file, position, end) : new byte[0];
  }

  /** Reads a copy, or returns why the bytes are not one. Never throws. */
  static Reading decodeCopy(byte[] copy) {
    ByteBuffer bytes = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
    if (copy.length < KIND) {
      return Reading.unusable("its superblock is truncated to " + copy.length + " bytes");
    }
    if (bytes.getLong(0) != MAGIC) {
      return Reading.unusable("its superblock is not one of Terrace's");
    }
    int version = bytes.getInt(VERSION);
    if (version < OLDEST_VERSION || version > FORMAT_VERSION) {
      return new Reading(
          Optional.empty(),
          "it is of format version %s, and this program reads %s"
              .formatted(version, FORMAT_VERSION),
          version);
    }
    if (copy.length != COPY_BYTES) {
      return Reading.unusable(
          "its superblock has %s bytes instead of %s".formatted(copy.length, COPY_BYTES));
    }
    if (bytes.getInt(CHECKSUM) != RecordLayout.crc(bytes, 0, CHECKSUM)) {
      return Reading.unusable("its superblock is corrupt: checksum mismatch");
    }
    return fields(bytes);
  }

  /** Checks the fields, too. A right checksum does not prove that the writer was right. */
  private static Reading fields(ByteBuffer bytes) {
    int kind = bytes.position(KIND).getInt();
    UUID id = new UUID(bytes.getLong(), bytes.getLong());
    long generation = bytes.getLong();
    int regionBytes = bytes.getInt();
    int regions = bytes.getInt();
    long createdMillis = bytes.getLong();
    long openedMillis = bytes.getLong();
    CacheSecret secret = new CacheSecret(bytes.getLong(), bytes.getLong());
    int contentsBytes = bytes.getShort();
    if (DeviceKind.of(kind).isEmpty()
        || !DeviceGeometry.isRegionSize(regionBytes)
        || regions < 1
        || generation < 1
        // The next opening needs sequences, too.
        || generation >= Sequence.LAST_GENERATION
        || contentsBytes < 0
        || contentsBytes > MAX_CONTENTS_BYTES) {
      return Reading.unusable(
          ("its superblock is corrupt: kind=%s regionBytes=%s regions=%s generation=%s"
                  + " contentsBytes=%s")
              .formatted(kind, regionBytes, regions, generation, contentsBytes));
    }
    String contents = RecordLayout.utf8(bytes, contentsBytes);
    if (contents == null) {
      return Reading.unusable("its superblock is corrupt: its contents are not UTF-8");
    }
    return new Reading(
        Optional.of(
            new Superblock(
                DeviceKind.of(kind).get(),
                id,
                secret,
                generation,
                new DeviceGeometry(regionBytes, regions),
                contents,
                createdMillis,
                openedMillis,
                bytes.getInt(PLACE))),
        "",
        0);
  }

  /**
   * The result of reading a superblock.
   *
   * @param superblock the superblock, if it is usable
   * @param fault why it is not usable, or why only one of its copies is; else empty
   * @param otherVersion its format version, if another version of Terrace wrote it; else 0
   */
  public record Reading(Optional<Superblock> superblock, String fault, int otherVersion) {
    public static final Reading ABSENT = unusable("it has no superblock");

    public boolean isAbsent() {
      return equals(ABSENT);
    }

    public static Reading unusable(String fault) {
      return new Reading(Optional.empty(), fault, 0);
    }

    private Reading besideDamaged(Reading other) {
      return new Reading(superblock, "one of two copies cannot be used (" + other.fault + ")", 0);
    }

    /** 0 if there is no superblock; else at least 1. */
    private long generation() {
      return superblock.map(Superblock::generation).orElse(0L);
    }
  }

  /** The kind of device that a folder is for. */
  public enum DeviceKind {
    /** Memory: the regions file is mapped, and all its space reserved. */
    PMEM(1),
    SSD(2);

    private final int code;

    DeviceKind(int code) {
      this.code = code;
    }

    private static Optional<DeviceKind> of(int code) {
      return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A random number of 128 bits, kept only in a cache's superblock. It keys the checks of all
   * structures that the cache writes, so that no bytes in a block pass for a structure.
   *
   * @param high the upper half
   * @param low the lower half
   */
  public record CacheSecret(long high, long low) {

    public static CacheSecret random() {
      SecureRandom random = new SecureRandom();
      return new CacheSecret(random.nextLong(), random.nextLong());
    }

    /** Hides the number, which must not get into a log. */
    @Override
    public String toString() {
      return "secret";
    }
  }
}
