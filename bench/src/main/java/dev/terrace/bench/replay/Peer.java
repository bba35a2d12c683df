/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.replay;

import java.util.Optional;

/** The caches that Terrace is compared with, simulated exactly. */
enum Peer {
  /** Least recently used. */
  LRU("LRU", "lru") {
    @Override
    Optional<ReplayedCache> open(Trace trace, long capacityBytes) {
      return Optional.of(new LruCache(capacityBytes));
    }
  },
  /** Caffeine's policy. */
  W_TINY_LFU("W-TinyLFU (Caffeine)", "w-tinylfu") {
    @Override
    Optional<ReplayedCache> open(Trace trace, long capacityBytes) {
      return Optional.of(new TinyLfuCache(capacityBytes, trace.unitBytes()));
    }
  },
  /** Three FIFO queues. */
  S3_FIFO("S3-FIFO", "s3-fifo") {
    @Override
    Optional<ReplayedCache> open(Trace trace, long capacityBytes) {
      return Optional.of(new S3FifoCache(capacityBytes));
    }
  },
  /** What cannot be beaten; needs the future. */
  OPTIMUM("Belady's optimum", "optimum") {
    @Override
    Optional<ReplayedCache> open(Trace trace, long capacityBytes) {
      return Optional.empty();
    }
  };

  private final String title;
  private final String label;

  Peer(String title, String label) {
    this.title = title;
    this.label = label;
  }

  /** The name in tables. */
  String title() {
    return title;
  }

  /** The name in files. */
  String label() {
    return label;
  }

  /** A new, empty cache; empty for the optimum, which is no cache but a calculation. */
  abstract Optional<ReplayedCache> open(Trace trace, long capacityBytes);

  /** The hits of this peer with so much room. */
  long hits(Trace trace, BeladyOptimum optimum, long capacityBytes) {
    return open(trace, capacityBytes)
        .map(cache -> new Replay(trace).hits(cache))
        .orElseGet(() -> optimum.hits(capacityBytes));
  }
}
