// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import dev.terrace.region.format.Superblock.CacheSecret;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The lists of evictions at one of a device's places: a whole one, and those that were appended to
 * it, each with the next number. What does not continue the numbers was torn, or written earlier.
 *
 * @param place where it was found
 * @param lastNumber the number of the last list; 0 if there is none
 * @param evictions those of all lists
 */
public record TombstoneLog(int place, long lastNumber, List<TombstoneList.Eviction> evictions) {

  /** Largest size of the lists at a place. */
  public static final int MAX_BYTES = 16 << 20;

  /** Logs are written to the places in turn. */
  public static final int PLACES = 2;

  /** The place of a device without evictions. */
  public static final TombstoneLog NONE = new TombstoneLog(0, 0, List.of());

  /** Unused, at the start of the file. */
  private static final int SPARE_BYTES = 1 << 20;

  public static long startOf(int place) {
    return SPARE_BYTES + (long) place * MAX_BYTES;
  }

  /** Reads the bytes of a place; {@link #NONE} if they do not begin with a list of this cache. */
  public static TombstoneLog read(int place, ByteBuffer bytes, CacheSecret secret) {
    List<TombstoneList.Eviction> evictions = new ArrayList<>();
    long last = 0;
    ByteBuffer rest = bytes.slice();
    Optional<TombstoneList> next = TombstoneList.decode(rest, secret);
    while (next.isPresent() && isNext(next.get().number(), last)) {
      TombstoneList list = next.get();
      last = list.number();
      evictions.addAll(list.evictions());
      rest = rest.slice(list.sizeBytes(), rest.remaining() - list.sizeBytes());
      next = TombstoneList.decode(rest, secret);
    }
    return last == 0 ? NONE : new TombstoneLog(place, last, evictions);
  }

  private static boolean isNext(long number, long last) {
    return last == 0 ? number > 0 : number == last + 1;
  }
}
