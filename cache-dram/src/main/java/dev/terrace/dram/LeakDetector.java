// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.TierStats.LongPins;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Detects leaked references by polling reference counts, at no cost to lookups and releases.
 * Thread-safe.
 */
final class LeakDetector<B> {

  /*
   * A count shows how many references are held, but not for how long. So a block that is found
   * leased becomes a suspect, and each poll drops the suspects that are no longer leased. Even a
   * block that is read all the time has no reader at some poll within a minute.
   *
   * Only a block with a decoded object has readers, so the search goes over the objects.
   *
   * An evicted suspect stays on the list: its lease keeps its age. By then the tier has released
   * its own reference, so any that is left is a reader's.
   */

  /** Leases of at least this age count as long. */
  static final Duration LONG = Duration.ofMinutes(1);

  /** Bounds the time of a poll. A tier of 64 GB has 64 times as many slots. */
  static final int SLOTS_PER_LOOK = 1 << 16;

  /** Bounds the time of a poll when much is leaked. Blocks beyond this are not watched. */
  static final int MAX_SUSPECTS = 16_384;

  private final SharedObjects<B> objects;
  private final int slotsPerLook;

  /** When each suspect was first found leased, the oldest first. */
  private final Map<DramEntry<B>, Long> suspects = new LinkedHashMap<>();

  private int nextSlot;
  private volatile LongPins found = LongPins.NONE;

  LeakDetector(SharedObjects<B> objects, int slotsPerLook) {
    this.objects = objects;
    this.slotsPerLook = slotsPerLook;
  }

  /** Rechecks all suspects, and continues the search for more. Call it every second. */
  synchronized void poll(long nowNanos) {
    suspects.keySet().removeIf(entry -> !entry.isLeased());
    found = longOnes(nowNanos);
    search(nowNanos);
  }

  private LongPins longOnes(long nowNanos) {
    long blocks = 0;
    long pages = 0;
    long residentPages = 0;
    long oldestNanos = 0;
    for (Map.Entry<DramEntry<B>, Long> suspect : suspects.entrySet()) {
      long ageNanos = nowNanos - suspect.getValue();
      if (ageNanos < LONG.toNanos()) {
        break;
      }
      DramEntry<B> entry = suspect.getKey();
      blocks++;
      pages += entry.pages();
      residentPages += entry.isGone() ? 0 : entry.pages();
      oldestNanos = Math.max(oldestNanos, ageNanos);
    }
    return blocks == 0
        ? LongPins.NONE
        : new LongPins(
            blocks,
            pages * Chunk.PAGE_BYTES,
            residentPages * Chunk.PAGE_BYTES,
            Duration.ofNanos(oldestNanos));
  }

  private void search(long nowNanos) {
    Consumer<DramEntry<B>> note =
        entry -> {
          if (suspects.size() < MAX_SUSPECTS && entry.isLeased()) {
            suspects.putIfAbsent(entry, nowNanos);
          }
        };
    nextSlot = objects.visit(nextSlot, slotsPerLook, note);
  }

  LongPins found() {
    return found;
  }

  /** Forgets all blocks: the tier is closed. */
  synchronized void close() {
    suspects.clear();
    found = LongPins.NONE;
  }
}
