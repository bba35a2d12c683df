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
package dev.terrace.hbase;

import dev.terrace.api.TierStats;
import java.util.Map;
import java.util.TreeMap;

/** A tier's counters at one moment, in the form that JMX carries. */
public final class TierReport {

  private final String name;
  private final TierStats stats;

  TierReport(String name, TierStats stats) {
    this.name = name;
    this.stats = stats;
  }

  /** The tier's name, such as {@code dram}. */
  public String getName() {
    return name;
  }

  /** The configured size. */
  public long getCapacityBytes() {
    return stats.capacityBytes();
  }

  /** Bytes allocated to resident blocks. */
  public long getUsedBytes() {
    return stats.usedBytes();
  }

  /** Encoded bytes of resident blocks. */
  public long getPayloadBytes() {
    return stats.payloadBytes();
  }

  /** Bytes of blocks that left and are still being read. */
  public long getLeasedBytes() {
    return stats.leasedBytes();
  }

  /** Java heap that the bookkeeping takes. */
  public long getHeapBytes() {
    return stats.heapBytes();
  }

  /** Resident blocks. */
  public long getBlocks() {
    return stats.blocks();
  }

  /** Lookups that found their block. */
  public long getHits() {
    return stats.hits().counted();
  }

  /** Lookups that did not. */
  public long getMisses() {
    return stats.misses();
  }

  /** Hits as a share of both, from 0 to 1. */
  public double getHitRatio() {
    return stats.hitRatio();
  }

  /** Blocks stored. */
  public long getPuts() {
    return stats.puts();
  }

  /** Their encoded bytes. */
  public long getPutBytes() {
    return stats.putBytes();
  }

  /** Blocks not stored, by reason. */
  public Map<String, Long> getRefusals() {
    return byName(stats.refusals());
  }

  /** Blocks that left, by cause. */
  public Map<String, Long> getEvictions() {
    return byName(stats.evictions());
  }

  private static Map<String, Long> byName(Map<? extends Enum<?>, Long> counts) {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((constant, count) -> named.put(constant.name(), count));
    return named;
  }

  /** The median latency of a sample of the hits. */
  public long getHitP50Nanos() {
    return stats.hitNanos().p50();
  }

  /** The 99th percentile of the same. */
  public long getHitP99Nanos() {
    return stats.hitNanos().p99();
  }

  /** The 99.9th percentile of the same. */
  public long getHitP999Nanos() {
    return stats.hitNanos().p999();
  }
}
