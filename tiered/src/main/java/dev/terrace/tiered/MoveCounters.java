// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.TierCounters;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the moves from one tier to another. Any thread may call any method. */
final class MoveCounters {

  private final String from;
  private final String to;
  private final Map<MoveOutcome, LongAdder> blocks = TierCounters.adders(MoveOutcome.class);
  private final LongAdder bytes = new LongAdder();
  private volatile MoveListener listener = (source, target, file, outcome) -> {};

  MoveCounters(String from, String to) {
    this.from = from;
    this.to = to;
  }

  /** Tells a listener of the moves, too. */
  void reportTo(MoveListener receiver) {
    listener = receiver;
  }

  void count(String file, MoveOutcome outcome, int sizeBytes) {
    blocks.get(outcome).increment();
    if (outcome == MoveOutcome.MOVED) {
      bytes.add(sizeBytes);
    }
    listener.moved(from, to, file, outcome);
  }

  MoveStats stats() {
    return new MoveStats(from, to, TierCounters.sums(MoveOutcome.class, blocks), bytes.sum());
  }
}
