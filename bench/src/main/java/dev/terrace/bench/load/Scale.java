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

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.server.CacheSizes;
import java.time.Duration;
import java.util.List;

/**
 * The size and the length of a run.
 *
 * @param rows rows of the table, of 1,000 bytes each
 * @param sizes of the servers' heaps and caches
 * @param rounds how often servers take turns
 * @param time how long one measured run is
 * @param warmUp how long a server is warmed up, at most
 */
public record Scale(long rows, CacheSizes sizes, int rounds, Duration time, Duration warmUp) {

  public Scale {
    // YCSB counts rows with an int.
    require("--rows", rows, 1_000, Integer.MAX_VALUE);
    require("--rounds", rounds, 1, 1_000);
    require("--seconds", time.toSeconds(), 1, 3_600);
    require("--warm-up", warmUp.toSeconds(), 1, 3_600);
  }

  /** A scale from numbers; the caches are sizes of heap, DRAM, PMem and SSD. */
  public static Scale of(
      long rows, List<String> caches, int rounds, int seconds, int warmUpSeconds) {
    List<ByteSize> sizes = caches.stream().map(ByteSize::parse).toList();
    return new Scale(
        rows,
        new CacheSizes(sizes.get(0), sizes.get(1), sizes.get(2), sizes.get(3)),
        rounds,
        Duration.ofSeconds(seconds),
        Duration.ofSeconds(warmUpSeconds));
  }

  /** Returns the same with other sizes. */
  public Scale with(CacheSizes others) {
    return new Scale(rows, others, rounds, time, warmUp);
  }

  /** Throws an IllegalArgumentException that names the option unless its value is in range. */
  public static void require(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " is " + value + ", must be " + least + " to " + most);
    }
  }
}
