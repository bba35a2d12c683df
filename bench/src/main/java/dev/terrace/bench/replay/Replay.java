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

import java.util.function.IntConsumer;

/** Sends the accesses of a trace through a cache. */
final class Replay {

  private static final int TELL_EVERY = 1 << 12;

  private final Trace trace;
  private final IntConsumer listener;

  Replay(Trace trace) {
    this(trace, done -> {});
  }

  /**
   * @param listener told now and then how many accesses are done
   */
  Replay(Trace trace, IntConsumer listener) {
    this.trace = trace;
    this.listener = listener;
  }

  /** Replays the whole trace; the cache is settled then, and still open. */
  long hits(ReplayedCache cache) {
    long hits = 0;
    for (int access = 0; access < trace.length(); access++) {
      int block = trace.block(access);
      if (cache.access(block, trace.sizeBytes(block))) {
        hits++;
      }
      if (access % TELL_EVERY == 0) {
        listener.accept(access);
      }
    }
    cache.settle();
    return hits;
  }
}
