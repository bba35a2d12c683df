// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.TierStats.LongLeases;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Detects leaked references by polling reference counts, at no cost to lookups and releases.
 * Thread-safe.
 */
final class LeaseWatch<B> {

  /*
   * A count shows how many references are held, but not for how long. So a block that is found leased
   * becomes a suspect, and each poll drops the suspects that are no longer leased. Even a block that is read
   * all the time has no reader at some poll within a minute.
   *
   * An evicted suspect stays on the list: its lease keeps its age. By then the tier has released its own
   * reference, so any that is left is a reader's.
   */

  /** Leases of at least this age count as long. */
  static final Duration LONG = Duration.ofMinutes(1);

  /** Bounds the time of a poll. A million blocks take 50 polls. */
  static final int ENTRIES_PER_LOOK = 20_000;

  /** Bounds the time of a poll when much is leaked. Blocks beyond this are not watched. */
  static final int MAX_SUSPECTS = 16_384;

  private final DramIndex<B> index;

  /** When each suspect was first found leased, the oldest first. */
  private final Map<DramEntry<B>, Long> suspects = new LinkedHashMap<>();

  private Iterator<DramEntry<B>> unseen = Collections.emptyIterator();
  private volatile LongLeases found = LongLeases.NONE;

  LeaseWatch(DramIndex<B> index) {
    this.index = index;
  }

  /** Rechecks all suspects, and continues the search for more. Call it every second. */
  synchronized void look(long nowNanos) {
    suspects.keySet().removeIf(entry -> !entry.isLeased());
    found = longOnes(nowNanos);
    search(nowNanos);
  }

  private LongLeases longOnes(long nowNanos) {
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
        ? LongLeases.NONE
        : new LongLeases(
            blocks,
            pages * Chunk.PAGE_BYTES,
            residentPages * Chunk.PAGE_BYTES,
            Duration.ofNanos(oldestNanos));
  }

  private void search(long nowNanos) {
    if (!unseen.hasNext()) {
      unseen = index.walk().iterator();
    }
    for (int i = 0; i < ENTRIES_PER_LOOK && unseen.hasNext(); i++) {
      DramEntry<B> entry = unseen.next();
      if (suspects.size() < MAX_SUSPECTS && entry.isLeased()) {
        suspects.putIfAbsent(entry, nowNanos);
      }
    }
  }

  /** What the last poll found. */
  LongLeases found() {
    return found;
  }

  /** Forgets all blocks: the tier is closed. */
  synchronized void close() {
    suspects.clear();
    unseen = Collections.emptyIterator();
    found = LongLeases.NONE;
  }
}
