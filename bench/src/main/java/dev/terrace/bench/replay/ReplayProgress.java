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

import dev.terrace.bench.report.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** Tells how far a replay is: a line for each cache that is done, and more while one takes long. */
final class ReplayProgress {

  private static final long TELL_EVERY_NANOS = Duration.ofSeconds(5).toNanos();

  private final int accesses;
  private final Progress progress;
  private final PrintWriter out;
  private final LongSupplier nanoClock;

  /**
   * @param accesses of the trace
   * @param caches how many will be replayed
   */
  ReplayProgress(int accesses, int caches, PrintWriter out, LongSupplier nanoClock) {
    this.accesses = accesses;
    this.out = out;
    this.nanoClock = nanoClock;
    this.progress = new Progress(caches, out, nanoClock);
  }

  /** A listener for the replay of one cache. */
  IntConsumer listen(String cache) {
    long start = nanoClock.getAsLong();
    long[] told = {start};
    return done -> {
      long now = nanoClock.getAsLong();
      if (done > 0 && now - told[0] >= TELL_EVERY_NANOS) {
        told[0] = now;
        Duration left = Duration.ofNanos((long) ((now - start) * ((double) accesses / done - 1)));
        out.printf(
            Locale.ROOT,
            "      %s: %d %% of the accesses (%s left)%n",
            cache,
            100L * done / accesses,
            Progress.inWords(left));
        out.flush();
      }
    };
  }

  /** A cache is done. */
  void done(String cache, long hits) {
    progress.step(String.format(Locale.ROOT, "%s: %.2f %% hits", cache, 100.0 * hits / accesses));
  }
}
