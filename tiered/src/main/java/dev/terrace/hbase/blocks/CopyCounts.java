// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts hits that were copied to the heap, by the reason. Thread-safe. */
final class CopyCounts {

  /** Compactions, chores, and threads of coprocessors. */
  static final String NO_CALL = "no_call";

  /** Calls that write, and batches with other actions than Gets. */
  static final String OTHER_CALL = "other_call";

  /** Scans that go on after their call, or go backwards. */
  static final String SCANNER = "scanner";

  static final String FILTER = "filter";

  /** The region is of a class that is not HBase's own, or not open. */
  static final String REGION = "region";

  /** Followed by the observer's class. */
  static final String OBSERVER = "observer ";

  /** Maximum number of reasons, so that classes cannot become metrics without end. */
  private static final int MAX_REASONS = 20;

  private final Map<String, LongAdder> hits = new ConcurrentHashMap<>();

  CopyCounts() {
    List.of(NO_CALL, OTHER_CALL, SCANNER, FILTER, REGION).forEach(this::of);
  }

  private LongAdder of(String reason) {
    return hits.computeIfAbsent(reason, added -> new LongAdder());
  }

  void add(String reason) {
    boolean isNew = hits.size() >= MAX_REASONS && !hits.containsKey(reason);
    of(isNew ? OBSERVER + "others" : reason).increment();
  }

  /** The hits by reason, in alphabetical order. */
  Map<String, Long> sums() {
    Map<String, Long> sums = new TreeMap<>();
    hits.forEach((reason, count) -> sums.put(reason, count.sum()));
    return sums;
  }
}
