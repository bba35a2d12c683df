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

import java.io.InterruptedIOException;

/**
 * Holds one stream to the speed of a slow store. Waits that are too short for a thread to be woken
 * in time are put off until they add up. Not safe for use by several threads.
 */
final class Pace {

  private static final long WORTH_WAITING_NANOS = 200_000;

  private final SlowStore store;
  private long readyAtNanos;

  Pace(SlowStore store) {
    this.store = store;
    this.readyAtNanos = store.nanoTime();
  }

  /** Moves bytes, as a new request or as more of the one before. */
  void transfer(long bytes, boolean goesOn) throws InterruptedIOException {
    readyAtNanos = store.transfer(readyAtNanos, bytes, this, goesOn);
    if (readyAtNanos - store.nanoTime() >= WORTH_WAITING_NANOS) {
      store.awaitNanoTime(readyAtNanos);
    }
  }

  /** Waits for what was put off. */
  void finish() throws InterruptedIOException {
    store.awaitNanoTime(readyAtNanos);
  }
}
