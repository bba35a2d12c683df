// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counters of the blocks that region servers take from each other. Thread-safe. */
final class PeerStats {

  private final AtomicLongArray counts = new AtomicLongArray(PeerFigure.values().length);

  void add(PeerFigure figure, long count) {
    counts.addAndGet(figure.ordinal(), count);
  }

  void addTo(Map<String, Long> figures) {
    for (PeerFigure figure : PeerFigure.values()) {
      figures.put(figure.figure(), counts.get(figure.ordinal()));
    }
  }
}
