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
package dev.terrace.bench.demo;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One histogram for each thread, in nanoseconds to three digits, and their sum once the threads
 * have ended.
 */
final class LatencyRecorder {

  private static final int DIGITS = 3;

  private final List<Histogram> histograms = new ArrayList<>();

  LatencyRecorder(int threads) {
    for (int i = 0; i < threads; i++) {
      histograms.add(new Histogram(DIGITS));
    }
  }

  /** Returns the histogram into which a thread alone records. */
  Histogram of(int thread) {
    return histograms.get(thread);
  }

  /** Returns all values. */
  Histogram total() {
    Histogram total = new Histogram(DIGITS);
    histograms.forEach(total::add);
    return total;
  }
}
