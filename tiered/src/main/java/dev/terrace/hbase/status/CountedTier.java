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
package dev.terrace.hbase.status;

import dev.terrace.api.TierStats;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Reports what a tier counted. */
record CountedTier(String name, TierStats stats) implements TierReport {

  @Override
  public String getName() {
    return name;
  }

  @Override
  public long getCapacityBytes() {
    return stats.capacityBytes();
  }

  @Override
  public long getUsedBytes() {
    return stats.usedBytes();
  }

  @Override
  public long getPayloadBytes() {
    return stats.payloadBytes();
  }

  @Override
  public long getLeasedBytes() {
    return stats.leasedBytes();
  }

  @Override
  public long getLongLeasedBlocks() {
    return stats.longLeases().blocks();
  }

  @Override
  public long getLongLeasedBytes() {
    return stats.longLeases().bytes();
  }

  @Override
  public long getOldestLeaseSeconds() {
    return stats.longLeases().oldest().toSeconds();
  }

  @Override
  public int getWaitingRegions() {
    return stats.waitingRegions();
  }

  @Override
  public long getLongestWaitSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(stats.longestWaitNanos());
  }

  @Override
  public long getHeapBytes() {
    return stats.heapBytes();
  }

  @Override
  public long getBlocks() {
    return stats.blocks();
  }

  @Override
  public long getHits() {
    return stats.hits().counted();
  }

  @Override
  public long getMisses() {
    return stats.misses();
  }

  @Override
  public double getHitRatio() {
    return stats.hitRatio();
  }

  @Override
  public long getPuts() {
    return stats.puts();
  }

  @Override
  public long getPutBytes() {
    return stats.putBytes();
  }

  @Override
  public long getRewrittenBytes() {
    return stats.rewrittenBytes();
  }

  @Override
  public long getScrubbedBytes() {
    return stats.scrubbedBytes();
  }

  @Override
  public Map<String, Long> getRefusals() {
    return byName(stats.refusals());
  }

  @Override
  public Map<String, Long> getEvictions() {
    return byName(stats.evictions());
  }

  @Override
  public Map<String, Long> getTroubles() {
    return byName(stats.troubles());
  }

  @Override
  public long getHitP50Nanos() {
    return stats.hitNanos().p50();
  }

  @Override
  public long getHitP99Nanos() {
    return stats.hitNanos().p99();
  }

  @Override
  public long getHitP999Nanos() {
    return stats.hitNanos().p999();
  }

  private static Map<String, Long> byName(Map<? extends Enum<?>, Long> counts) {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((constant, count) -> named.put(constant.name(), count));
    return named;
  }
}
