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
package dev.terrace.bench.pause;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What writes pass: at once, after a delay, or not before it is opened. Thread-safe. */
final class Gate {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Duration delay = Duration.ZERO;

  /** Everyone who passes from now on waits so long, or until it is opened. */
  void delay(Duration each) {
    set(each);
  }

  /** Lets everyone pass, those who wait among them. */
  void open() {
    set(Duration.ZERO);
  }

  private void set(Duration each) {
    lock.lock();
    try {
      delay = each;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits as told. An interrupt ends no wait, and stays set. */
  void pass() {
    boolean interrupted = false;
    long start = System.nanoTime();
    lock.lock();
    try {
      long left = delay.toNanos();
      while (left > 0) {
        try {
          changed.await(left, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
        left = delay.toNanos() - (System.nanoTime() - start);
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
