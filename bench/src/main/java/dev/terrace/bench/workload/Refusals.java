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
package dev.terrace.bench.workload;

import dev.terrace.hbase.TieredBlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCache;

/** How many blocks a cache refused, or dropped later, of all that were put so far. */
public final class Refusals {

  private Refusals() {}

  /** Counts them; where there are several tiers, those of the highest one. */
  public static long of(BlockCache cache) {
    if (cache instanceof TieredBlockCache terrace) {
      return terrace.tierStats().values().iterator().next().refusals().values().stream()
          .mapToLong(Long::longValue)
          .sum();
    }
    return cache.getStats().getFailedInserts();
  }
}
