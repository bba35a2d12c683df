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
package dev.terrace.region.format;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the records of a device in the order of their reservation. No number is used twice, not
 * even after a crash: the high bits are the device's generation.
 */
public final class Sequence {

  private static final int COUNT_BITS = 40;

  /** The last generation that has numbers. */
  static final long LAST_GENERATION = (1L << (Long.SIZE - 1 - COUNT_BITS)) - 1;

  private final AtomicLong next;

  /** The numbers of a device that was opened this often. */
  public Sequence(long generation) {
    this.next = new AtomicLong(generation << COUNT_BITS | 1);
  }

  /** How often the device had been opened when it gave this number. */
  static long generation(long sequence) {
    return sequence >>> COUNT_BITS;
  }

  /** The next number. */
  public long next() {
    return next.getAndIncrement();
  }
}
