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
package dev.terrace.region.device;

import java.util.concurrent.TimeUnit;

/**
 * Where puts wait until a log has room again. Nobody waits for a device that gives none for as long
 * as a put may wait, nor while the write limit holds its worker. Any thread may call any method.
 */
public final class RoomWait {

  private long given;
  private boolean paced;

  /** Whether somebody waits, or waited in vain, since room was given last; and since when. */
  private boolean wanted;

  private long wantedNanos;

  /** How often room was given: to be asked for before the room is. */
  public synchronized long given() {
    return given;
  }

  /** Says that there is room. */
  public synchronized void give() {
    given++;
    wanted = false;
    notifyAll();
  }

  /** Says whether the worker waits for the write limit. */
  synchronized void paced(boolean isPaced) {
    paced = isPaced;
    notifyAll();
  }

  /**
   * Waits for room.
   *
   * @param seen what {@link #given} returned before room was asked for in vain
   * @param mostNanos how long one put may wait
   * @param restNanos what is left of that
   * @return whether room was given since
   */
  public synchronized boolean await(long seen, long mostNanos, long restNanos) {
    long start = System.nanoTime();
    if (!wanted) {
      wanted = true;
      wantedNanos = start;
    }
    try {
      while (given == seen) {
        long now = System.nanoTime();
        long rest = Math.min(start + restNanos - now, wantedNanos + mostNanos - now);
        if (paced || rest <= 0) {
          return false;
        }
        TimeUnit.NANOSECONDS.timedWait(this, rest);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
