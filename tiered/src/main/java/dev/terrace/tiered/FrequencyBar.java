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
package dev.terrace.tiered;

/**
 * How often the keys that leave a tier occurred: what comes in for them should have occurred more
 * often. Not thread-safe.
 *
 * <p>It is the comparison of TinyLFU (Einziger, Friedman, Manes, 2017) for a tier that does not
 * know its victim when it is offered a block, because it makes room a region at a time.
 */
final class FrequencyBar {

  /** What the latest that left counts in the mean. */
  private static final double WEIGHT = 0.01;

  private double mean;

  /** Hears how often a key occurred that leaves. */
  void left(int frequency) {
    mean += WEIGHT * (frequency - mean);
  }

  /** Whether a key that occurred so often did so more often than what leaves. */
  boolean isBelow(int frequency) {
    return frequency > mean;
  }
}
