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
package dev.terrace.bench.slow;

import dev.terrace.bench.slow.SlowStore.SlowClock;
import java.util.ArrayList;
import java.util.List;

/** A clock that only waiting moves, and that remembers the waits. */
final class HandClock extends SlowClock {

  private final List<Long> waitsNanos = new ArrayList<>();
  private long nowNanos;

  HandClock(long startNanos) {
    this.nowNanos = startNanos;
  }

  @Override
  long nanoTime() {
    return nowNanos;
  }

  @Override
  void awaitNanoTime(long deadlineNanos) {
    waitsNanos.add(deadlineNanos - nowNanos);
    nowNanos = deadlineNanos;
  }

  List<Long> waitsNanos() {
    return waitsNanos;
  }
}
