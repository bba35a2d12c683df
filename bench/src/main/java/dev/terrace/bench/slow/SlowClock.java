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

/** The time of this machine, and waiting for it. */
class SlowClock {

  /** Returns the time as {@link System#nanoTime} does. */
  long nanoTime() {
    return System.nanoTime();
  }

  /** Returns at this time; throws if the thread is interrupted, and keeps it so. */
  void awaitNanoTime(long deadlineNanos) throws InterruptedIOException {
    long left = deadlineNanos - System.nanoTime();
    while (left > 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while waiting for a simulated slow store");
      }
      LockSupport.parkNanos(this, left);
      left = deadlineNanos - System.nanoTime();
    }
  }
}
