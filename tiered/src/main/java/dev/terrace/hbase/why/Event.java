// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.why;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.tiered.MoveOutcome;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Something that happens to blocks, in the order in which people read it.
 *
 * @param where the tier, the tier that a block moves from, {@link #READS}, or {@link #AHEAD}
 * @param to the tier that a block moves to; null if it is no move
 * @param what a {@link PutOutcome}, {@link EvictionCause}, {@link MoveOutcome}, or {@link Request}
 */
record Event(String where, String to, Enum<?> what) implements Comparable<Event> {

  /** What HBase asked for first, then by place. */
  private static final Comparator<Event> ORDER =
      Comparator.comparing((Event event) -> !event.isFromHBase())
          .thenComparing(event -> event.to() != null)
          .thenComparing(Event::place)
          .thenComparing(event -> event.what() instanceof EvictionCause)
          .thenComparing(event -> event.what().name());

  /** HBase itself: its requests, and the puts of blocks that were just read. */
  static final String READS = "reads";

  /** HBase itself: the puts of blocks that were not read yet, by prefetch, flush and compaction. */
  static final String AHEAD = "writes and prefetch";

  /** What HBase asked the whole cache for, beside puts. */
  enum Request {
    /** A read found the block in no tier, and would have it cached. */
    MISS,
    /**
     * A read found the block in no tier, and would not have it cached: a compaction, or a scan that
     * says so.
     */
    MISS_NOT_TO_CACHE,
    /** HBase asked whether to cache data of this age, and its data tiering answered no. */
    COLD,
    /** HBase evicted the whole file. */
    FILE_EVICTED
  }

  static Event of(Request request) {
    return new Event(READS, null, request);
  }

  boolean isFromHBase() {
    return where.equals(READS) || where.equals(AHEAD);
  }

  @Override
  public int compareTo(Event other) {
    return ORDER.compare(this, other);
  }

  /** What happened, as people read it. */
  String name() {
    if (what instanceof PutOutcome) {
      return "put: " + what;
    }
    return what instanceof EvictionCause ? "evicted: " + what : what.name();
  }

  /** The place, as people read it. */
  String place() {
    return to == null ? where : where + " to " + to;
  }

  /** The sum of the counts of some events. */
  static long sum(Map<Event, Long> counts, Predicate<Event> which) {
    return counts.entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
