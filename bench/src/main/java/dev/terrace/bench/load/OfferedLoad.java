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
package dev.terrace.bench.load;

import dev.terrace.bench.server.Await;
import java.util.Arrays;

/**
 * When callers want to call, all of them together. A caller who is late does not catch up: what was
 * not asked for in time is not asked for at all. Each thread uses its own number.
 */
public final class OfferedLoad {

  private static final double NANOS_PER_SECOND = 1e9;

  private final long intervalNanos;
  private final Turns turns;
  private final long[] dueNanos;

  private OfferedLoad(long intervalNanos, Turns turns, int threads) {
    this.intervalNanos = intervalNanos;
    this.turns = turns;
    this.dueNanos = new long[threads];
    Arrays.fill(dueNanos, System.nanoTime());
  }

  /** Everyone calls again as soon as the answer has come. */
  public static OfferedLoad unlimited(int threads) {
    return new OfferedLoad(0, Turns.ALWAYS, threads);
  }

  /** The same, but only while it is the turn of these callers. */
  public static OfferedLoad inTurns(Turns turns, int threads) {
    return new OfferedLoad(0, turns, threads);
  }

  /** Everyone calls in turn, at a rate above zero of all threads together. */
  public static OfferedLoad of(double operationsPerSecond, int threads) {
    if (!(operationsPerSecond > 0)) {
      throw new IllegalArgumentException(
          "operationsPerSecond=" + operationsPerSecond + ", must be above 0");
    }
    return new OfferedLoad(
        Math.round(NANOS_PER_SECOND * threads / operationsPerSecond), Turns.ALWAYS, threads);
  }

  /** Waits until it is this thread's turn, or the thread is interrupted. */
  public void await(int thread) {
    long due = Math.max(dueNanos[thread], turns.next(System.nanoTime()));
    dueNanos[thread] = Math.max(due + intervalNanos, Await.nanoTime(due));
  }

  /** Turns that groups of callers take by the clock, and the number of this group, from 0. */
  public record Turns(long turnNanos, int number, int groups) {

    static final Turns ALWAYS = new Turns(1, 0, 1);

    public Turns {
      if (turnNanos < 1 || number < 0 || number >= groups) {
        throw new IllegalArgumentException(
            "turnNanos=" + turnNanos + ", number=" + number + " of groups=" + groups);
      }
    }

    /** Returns this time if it lies in a turn of this group, else the begin of its next one. */
    long next(long nowNanos) {
      long turn = Math.floorDiv(nowNanos, turnNanos);
      long wait = Math.floorMod(number - turn, (long) groups);
      return wait == 0 ? nowNanos : (turn + wait) * turnNanos;
    }
  }
}
