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
package dev.terrace.bench.server;

import java.io.IOException;
import java.util.Map;

/**
 * The counters of one tier since its start.
 *
 * @param name the tier
 * @param capacityBytes what it may hold
 * @param usedBytes what it has taken of that
 * @param leasedBytes bytes of blocks that left it and are still being read, and of blocks in it
 *     that are leased for long
 * @param payloadBytes bytes of blocks in it
 * @param blocks number of blocks in it
 * @param hits lookups that found their block
 * @param misses lookups that did not
 * @param puts blocks that it took in
 * @param refusals blocks that it did not take, by reason
 * @param evictions blocks that left it, by cause
 * @param troubles what went wrong below it, by kind
 * @param hitP50Nanos median time of a sampled hit; zero when none was sampled
 * @param hitP99Nanos 99th percentile of it
 */
public record TierStats(
    String name,
    long capacityBytes,
    long usedBytes,
    long leasedBytes,
    long payloadBytes,
    long blocks,
    long hits,
    long misses,
    long puts,
    Map<String, Long> refusals,
    Map<String, Long> evictions,
    Map<String, Long> troubles,
    long hitP50Nanos,
    long hitP99Nanos) {

  /** Copies the collections. */
  public TierStats {
    refusals = Map.copyOf(refusals);
    evictions = Map.copyOf(evictions);
    troubles = Map.copyOf(troubles);
  }

  static TierStats of(JmxBean tier) throws IOException {
    return new TierStats(
        tier.text("name"),
        tier.number("capacityBytes"),
        tier.number("usedBytes"),
        tier.number("leasedBytes"),
        tier.number("payloadBytes"),
        tier.number("blocks"),
        tier.number("hits"),
        tier.number("misses"),
        tier.number("puts"),
        tier.numbersByName("refusals"),
        tier.numbersByName("evictions"),
        tier.numbersByName("troubles"),
        tier.number("hitP50Nanos"),
        tier.number("hitP99Nanos"));
  }

  /** Returns the part of the lookups that were hits, 0 to 1; zero when there were none. */
  public double hitRatio() {
    return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
  }
}
