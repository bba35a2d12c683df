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
import java.util.zip.CRC32C;

/**
 * The description of a folder, written twice into its superblock file, see {@link
 * SuperblockLayout}.
 *
 * @param kind the kind of device
 * @param id random, new each time the folder was started empty; for people
 * @param secret random, new each time the folder was started empty; keys the checks of its regions
 * @param generation how often the contents were opened; 1 when they were started empty
 * @param geometry how many regions of what size
 * @param contents the settings that the contents depend on, as a text of the owner
 * @param createdMillis when the folder was started empty, by the wall clock
 * @param openedMillis when it was opened last, by the wall clock
 */
public record Superblock(
    DeviceKind kind,
    UUID id,
    CacheSecret secret,
    long generation,
    DeviceGeometry geometry,
    String contents,
    long createdMillis,
    long openedMillis) {

  /** The superblock of a folder that is started empty. */
  public static Superblock fresh(
      DeviceKind kind, DeviceGeometry geometry, String contents, long nowMillis) {
    return new Superblock(
        kind, UUID.randomUUID(), CacheSecret.random(), 1, geometry, contents, nowMillis, nowMillis);
  }

  /** The superblock of the same contents when they are opened once more. */
  public Superblock next(DeviceGeometry wanted, long nowMillis) {
    return new Superblock(
        kind, id, secret, generation + 1, wanted, contents, createdMillis, nowMillis);
  }

  /** The superblock of the same contents when their number of regions changes in use. */
  public Superblock resized(DeviceGeometry wanted) {
    return new Superblock(
        kind, id, secret, generation, wanted, contents, createdMillis, openedMillis);
  }

  /** The bytes of a copy. */
  public byte[] encode() {
    byte[] utf8 = contents.getBytes(UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(SuperblockLayout.COPY_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(SuperblockLayout.MAGIC, SuperblockLayout.MAGIC_VALUE)
            .putInt(SuperblockLayout.VERSION, SuperblockLayout.FORMAT_VERSION)
            .putInt(SuperblockLayout.KIND, kind.code())
            .putLong(SuperblockLayout.ID_HIGH, id.getMostSignificantBits())
            .putLong(SuperblockLayout.ID_LOW, id.getLeastSignificantBits())
            .putLong(SuperblockLayout.GENERATION, generation)
            .putInt(SuperblockLayout.REGION_BYTES, geometry.regionBytes())
            .putInt(SuperblockLayout.REGIONS, geometry.regions())
            .putLong(SuperblockLayout.CREATED_MILLIS, createdMillis)
            .putLong(SuperblockLayout.OPENED_MILLIS, openedMillis)
            .putShort(SuperblockLayout.CONTENTS_BYTES, (short) utf8.length)
            .put(SuperblockLayout.CONTENTS, utf8);
    secret.write(bytes, SuperblockLayout.SECRET);
    return bytes.putInt(SuperblockLayout.CHECKSUM, checksum(bytes.array())).array();
  }

  /**
   * Reads a superblock file: of two whole copies the one with the larger generation. Returns the
   * reason if there is none. Never throws.
   */
  public static Reading decode(byte[] file) {
    Reading first = decodeCopy(copy(file, SuperblockLayout.FIRST_COPY));
    Reading second = decodeCopy(copy(file, SuperblockLayout.SECOND_COPY));
    if (first.superblock.isEmpty() && second.superblock.isEmpty()) {
      return file.length <= SuperblockLayout.SECOND_COPY || first.trouble.equals(second.trouble)
          ? first
          : new Reading(
              Optional.empty(),
              first.trouble + "; in the second copy, " + second.trouble,
              Math.max(first.otherVersion, second.otherVersion));
    }
    if (first.superblock.isEmpty()) {
      return second.besideDamaged(first);
    }
    if (second.superblock.isEmpty()) {
      return first.besideDamaged(second);
    }
    return first.generation() >= second.generation() ? first : second;
  }

  /**
   * Whether the first copy alone is of the last opening, because a crash came before the second.
   */
  public static boolean isFirstCopyNewer(byte[] file) {
    Reading first = decodeCopy(copy(file, SuperblockLayout.FIRST_COPY));
    Reading second = decodeCopy(copy(file, SuperblockLayout.SECOND_COPY));
    return first.superblock.isPresent()
        && (second.superblock.isEmpty() || first.generation() > second.generation());
  }

  private static byte[] copy(byte[] file, int position) {
    int end = Math.min(file.length, position + SuperblockLayout.COPY_BYTES);
    return position < end ? Arrays.copyOfRange(file, position, end) : new byte[0];
  }

  /** Reads a copy, or returns why the bytes are none. Never throws. */
  static Reading decodeCopy(byte[] copy) {
    ByteBuffer bytes = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
    if (copy.length < SuperblockLayout.KIND) {
      return Reading.unusable("its superblock is cut off after " + copy.length + " bytes");
    }
    if (bytes.getLong(SuperblockLayout.MAGIC) != SuperblockLayout.MAGIC_VALUE) {
      return Reading.unusable("its superblock is not one of this cache");
    }
    int version = bytes.getInt(SuperblockLayout.VERSION);
    if (version < SuperblockLayout.OLDEST_VERSION || version > SuperblockLayout.FORMAT_VERSION) {
      return new Reading(
          Optional.empty(),
          "it is of format version %s, and this program reads %s"
              .formatted(version, SuperblockLayout.FORMAT_VERSION),
          version);
    }
    if (copy.length != SuperblockLayout.COPY_BYTES) {
      return Reading.unusable(
          "its superblock has %s bytes in place of %s"
              .formatted(copy.length, SuperblockLayout.COPY_BYTES));
    }
    if (bytes.getInt(SuperblockLayout.CHECKSUM) != checksum(copy)) {
      return Reading.unusable("its superblock is damaged: the checksum is wrong");
    }
    return fields(copy, bytes);
  }

  /** Checks the fields, too. A right checksum does not prove that the writer was right. */
  private static Reading fields(byte[] copy, ByteBuffer bytes) {
    Optional<DeviceKind> kind = DeviceKind.of(bytes.getInt(SuperblockLayout.KIND));
    int regionBytes = bytes.getInt(SuperblockLayout.REGION_BYTES);
    int regions = bytes.getInt(SuperblockLayout.REGIONS);
    long generation = bytes.getLong(SuperblockLayout.GENERATION);
    int contentsBytes = bytes.getShort(SuperblockLayout.CONTENTS_BYTES);
    if (kind.isEmpty()
        || !DeviceGeometry.isRegionSize(regionBytes)
        || regions < 1
        || generation < 1
        // The next opening must have numbers, too.
        || generation >= Sequence.LAST_GENERATION
        || contentsBytes < 0
        || contentsBytes > SuperblockLayout.MAX_CONTENTS_BYTES) {
      return Reading.unusable(
          ("its superblock is damaged: kind=%s regionBytes=%s regions=%s generation=%s"
                  + " contentsBytes=%s")
              .formatted(
                  bytes.getInt(SuperblockLayout.KIND),
                  regionBytes,
                  regions,
                  generation,
                  contentsBytes));
    }
    byte[] utf8 =
        Arrays.copyOfRange(
            copy, SuperblockLayout.CONTENTS, SuperblockLayout.CONTENTS + contentsBytes);
    String contents = new String(utf8, UTF_8);
    if (!Arrays.equals(utf8, contents.getBytes(UTF_8))) {
      return Reading.unusable("its superblock is damaged: its contents are not UTF-8");
    }
    return new Reading(
        Optional.of(
            new Superblock(
                kind.get(),
                new UUID(
                    bytes.getLong(SuperblockLayout.ID_HIGH),
                    bytes.getLong(SuperblockLayout.ID_LOW)),
                CacheSecret.read(bytes, SuperblockLayout.SECRET),
                generation,
                new DeviceGeometry(regionBytes, regions),
                contents,
                bytes.getLong(SuperblockLayout.CREATED_MILLIS),
                bytes.getLong(SuperblockLayout.OPENED_MILLIS))),
        "",
        0);
  }

  private static int checksum(byte[] copy) {
    CRC32C crc = new CRC32C();
    crc.update(copy, 0, SuperblockLayout.CHECKSUM);
    return (int) crc.getValue();
  }

  /**
   * The result of reading a superblock.
   *
   * @param superblock the superblock, if it is usable
   * @param trouble why it is not, or why only one of its copies is; else empty
   * @param otherVersion the format of another version of Terrace that wrote it; 0 if none did
   */
  public record Reading(Optional<Superblock> superblock, String trouble, int otherVersion) {
    /** There is no such file. */
    public static final Reading ABSENT = unusable("it has no superblock");

    /** Whether there is no superblock at all. */
    public boolean isAbsent() {
      return equals(ABSENT);
    }

    /** A superblock that cannot be used. */
    public static Reading unusable(String trouble) {
      return new Reading(Optional.empty(), trouble, 0);
    }

    private Reading besideDamaged(Reading other) {
      return new Reading(superblock, "one of two copies cannot be used (" + other.trouble + ")", 0);
    }

    private long generation() {
      return superblock.map(Superblock::generation).orElse(0L);
    }
  }

  /** The kind of device that a folder is for. */
  public enum DeviceKind {
    /** Memory: the regions file is mapped, and all its space reserved. */
    PMEM(1),
    /** A file, read and written. */
    SSD(2);

    private final int code;

    DeviceKind(int code) {
      this.code = code;
    }

    /** Its code in a superblock. */
    int code() {
      return code;
    }

    static Optional<DeviceKind> of(int code) {
      for (DeviceKind kind : values()) {
        if (kind.code == code) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A random number of 128 bits, kept in a cache's superblock alone. It keys the checks of all
   * structures that the cache writes, so that no bytes in a block pass for one.
   *
   * @param high the upper half
   * @param low the lower half
   */
  public record CacheSecret(long high, long low) {

    /** A new one. */
    public static CacheSecret random() {
      SecureRandom random = new SecureRandom();
      return new CacheSecret(random.nextLong(), random.nextLong());
    }

    /** Reads one that {@link #write} wrote. */
    static CacheSecret read(ByteBuffer source, int position) {
      return new CacheSecret(source.getLong(position), source.getLong(position + Long.BYTES));
    }

    /** Writes its 16 bytes. */
    void write(ByteBuffer target, int position) {
      target.putLong(position, high);
      target.putLong(position + Long.BYTES, low);
    }

    /** Hides the number, which must not get into a log. */
    @Override
    public String toString() {
      return "secret";
    }
  }
}
