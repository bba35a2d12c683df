// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import java.util.concurrent.atomic.LongAdder;

/** Running sums over all entries of an index, counted where they change. Thread-safe. */
final class DramTotals {

  private final LongAdder blocks = new LongAdder();
  private final LongAdder pages = new LongAdder();
  private final LongAdder payloadBytes = new LongAdder();

  /** Counts what was added, or removed if negative. */
  void add(int addedBlocks, int addedPages, int addedBytes) {
    blocks.add(addedBlocks);
    pages.add(addedPages);
    payloadBytes.add(addedBytes);
  }

  long blocks() {
    return blocks.sum();
  }

  /** The pages of the entries' memory. */
  long pages() {
    return pages.sum();
  }

  long payloadBytes() {
    return payloadBytes.sum();
  }
}
