// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import dev.terrace.region.format.Superblock.CacheSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Evictions from a device that a restart must know of: all of them, or those since the list before;
 * see {@link TombstoneLog}.
 *
 * <pre>
 *   0 magic (8)   8 number of the writing (8)   16 evictions (4)   20 bytes of all of them (4)
 *   24 check (8)   32 evictions: last sequence (8), first offset (8), last offset (8),
 *                                length of the file's name (2), the name in UTF-8
 * </pre>
 *
 * @param number counts the times that the list was written, from 1
 */
public record TombstoneList(long number, List<Eviction> evictions) {

  /** Maximum size of a list; lists appended to it take at most as much again and 1 MB. */
  public static final int MAX_BYTES = 7 << 20;

  public static final int HEADER_BYTES = 32;

  /** {@code TerrEvic}. */
  private static final long MAGIC = 0x6369764572726554L;

  private static final int NUMBER_AT = 8;
  private static final int COUNT_AT = 16;
  private static final int LENGTH_AT = 20;
  private static final int CHECK_AT = 24;
  private static final int FIXED_BYTES = 3 * Long.BYTES + Short.BYTES;

  public TombstoneList {
    evictions = List.copyOf(evictions);
  }

  public int sizeBytes() {
    return HEADER_BYTES + evictions.stream().mapToInt(TombstoneList::sizeBytes).sum();
  }

  public static int sizeBytes(Eviction eviction) {
    return FIXED_BYTES + RecordLayout.utf8Bytes(eviction.file());
  }

  /** The size of a list, given its first {@link #HEADER_BYTES}; 0 if they are not a list's. */
  public static int sizeBytes(ByteBuffer header) {
    int bytes = header.getLong(0) == MAGIC ? header.getInt(LENGTH_AT) : -1;
    return bytes < 0 || bytes > MAX_BYTES - HEADER_BYTES ? 0 : HEADER_BYTES + bytes;
  }

  /** The bytes of the list, {@link #MAX_BYTES} at most. */
  public ByteBuffer encode(CacheSecret secret) {
    ByteBuffer list = RecordLayout.littleEndian(ByteBuffer.allocate(sizeBytes()));
    list.putLong(MAGIC).putLong(number).putInt(evictions.size());
    list.putInt(list.capacity() - HEADER_BYTES);
    list.position(HEADER_BYTES);
    for (Eviction each : evictions) {
      byte[] name = each.file().getBytes(StandardCharsets.UTF_8);
      list.putLong(each.lastSequence()).putLong(each.fromOffset()).putLong(each.toOffset());
      list.putShort((short) name.length).put(name);
    }
    return list.putLong(CHECK_AT, check(list, secret)).flip();
  }

  /** Reads what {@link #encode} made for this cache; empty if the bytes begin otherwise. */
  public static Optional<TombstoneList> decode(ByteBuffer bytes, CacheSecret secret) {
    ByteBuffer list = RecordLayout.littleEndian(bytes.slice());
    int listBytes = list.capacity() < HEADER_BYTES ? 0 : sizeBytes(list);
    if (listBytes == 0
        || listBytes > list.capacity()
        || list.limit(listBytes).getInt(COUNT_AT) < 0
        || list.getLong(CHECK_AT) != check(list, secret)) {
      return Optional.empty();
    }
    List<Eviction> evictions = new ArrayList<>();
    list.position(HEADER_BYTES);
    for (int i = list.getInt(COUNT_AT); i > 0; i--) {
      Eviction next = list.remaining() < FIXED_BYTES ? null : read(list);
      if (next == null) {
        return Optional.empty();
      }
      evictions.add(next);
    }
    return list.hasRemaining()
        ? Optional.empty()
        : Optional.of(new TombstoneList(list.getLong(NUMBER_AT), evictions));
  }

  private static Eviction read(ByteBuffer list) {
    long lastSequence = list.getLong();
    long fromOffset = list.getLong();
    long toOffset = list.getLong();
    int nameBytes = Short.toUnsignedInt(list.getShort());
    if (nameBytes > Math.min(list.remaining(), RecordLayout.MAX_NAME_BYTES)) {
      return null;
    }
    String file = RecordLayout.utf8(list, nameBytes);
    return file == null ? null : new Eviction(file, fromOffset, toOffset, lastSequence);
  }

  private static long check(ByteBuffer list, CacheSecret secret) {
    return new RegionEpoch(secret, list.getLong(NUMBER_AT))
        .check(RegionEpoch.Part.EVICTIONS, list.getInt(COUNT_AT), list, HEADER_BYTES, list.limit());
  }

  /**
   * Blocks of a file that were evicted for good: those in a range of offsets whose records existed
   * at the eviction.
   *
   * @param fromOffset the first offset of the range
   * @param toOffset the last offset of the range, inclusive
   * @param lastSequence the device's last {@link Sequence} at the eviction
   */
  public record Eviction(String file, long fromOffset, long toOffset, long lastSequence) {

    public boolean concerns(long offset, long sequence) {
      return sequence <= lastSequence && offset >= fromOffset && offset <= toOffset;
    }

    /** Whether this eviction concerns all records that another one of this file concerns. */
    public boolean covers(Eviction other) {
      return lastSequence >= other.lastSequence
          && fromOffset <= other.fromOffset
          && toOffset >= other.toOffset;
    }

    /** The smallest eviction that covers this one and another one of the same file. */
    public Eviction and(Eviction other) {
      return new Eviction(
          file,
          Math.min(fromOffset, other.fromOffset),
          Math.max(toOffset, other.toOffset),
          Math.max(lastSequence, other.lastSequence));
    }
  }
}
