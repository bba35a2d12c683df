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
import java.util.concurrent.locks.LockSupport;

/** The time, and waiting for it. */
interface SlowClock {

  /** The time of this machine. */
  SlowClock SYSTEM =
      new SlowClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void awaitNanoTime(long deadlineNanos) throws InterruptedIOException {
          long left = deadlineNanos - System.nanoTime();
          while (left > 0) {
            if (Thread.currentThread().isInterrupted()) {
              throw new InterruptedIOException(
                  "interrupted while waiting for a simulated slow store");
            }
            LockSupport.parkNanos(this, left);
            left = deadlineNanos - System.nanoTime();
          }
        }
      };

  /** As {@link System#nanoTime}. */
  long nanoTime();

  /**
   * Returns when it is so late.
   *
   * @throws InterruptedIOException if the thread is interrupted; it stays so
   */
  void awaitNanoTime(long deadlineNanos) throws InterruptedIOException;
}
