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
package dev.terrace.bench.fire;

import dev.terrace.bench.server.TerraceStats;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * What a clean restart of all region servers kept of PMem and SSD, in blocks.
 *
 * @param held blocks in them before the stop
 * @param cameBack blocks that they found at the start
 * @param hits blocks that the check of all rows after the start found in them
 * @param misses blocks that it had to read from HDFS
 */
record WarmStart(long held, long cameBack, long hits, long misses) {

  /** Less than this came back cold: regions of a broken disk may be lost, but no tier. */
  private static final double LEAST_SHARE = 0.5;

  /** Returns the blocks in all tiers below DRAM. */
  static long blocks(List<TerraceStats.Tier> tiers) {
    return sum(tiers, TerraceStats.Tier::blocks);
  }

  /** Returns the blocks that tiers had when they were started, whatever became of them since. */
  static long recovered(List<TerraceStats.Tier> tiers) {
    return sum(tiers, TerraceStats.Tier::recovered);
  }

  private static long sum(List<TerraceStats.Tier> tiers, ToLongFunction<TerraceStats.Tier> figure) {
    return tiers.stream().filter(tier -> !tier.name().equals("dram")).mapToLong(figure).sum();
  }

  /** Returns the same with what was read since the start. */
  WarmStart read(List<TerraceStats.Tier> tiers) {
    long found = sum(tiers, TerraceStats.Tier::hits);
    // The last tier is asked last: its misses are those of the cache.
    long lost =
        tiers.stream()
            .filter(tier -> tier.name().equals("ssd"))
            .mapToLong(TerraceStats.Tier::misses)
            .sum();
    return new WarmStart(held, cameBack, found, lost);
  }

  boolean isWarm() {
    return hits > 0 && cameBack >= held * LEAST_SHARE;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d; %,d of %,d blocks came back, %,d were read from HDFS",
        hits,
        cameBack,
        held,
        misses);
  }
}
