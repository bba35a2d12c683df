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

import java.util.Map;

/** A tier's counters at one moment, in the form that JMX carries. */
public interface TierReport {

  /** The tier's name, such as {@code dram}. */
  String getName();

  /** The configured size. */
  long getCapacityBytes();

  /** Bytes allocated to resident blocks. */
  long getUsedBytes();

  /** Encoded bytes of resident blocks. */
  long getPayloadBytes();

  /**
   * Bytes of blocks that left and are still being read, and of resident blocks that count as long
   * leased.
   */
  long getLeasedBytes();

  /**
   * Blocks that were leased at every look for more than a minute. A number that grows without end
   * is a leak. DRAM only.
   */
  long getLongLeasedBlocks();

  /** Bytes allocated to them. */
  long getLongLeasedBytes();

  /** For how long the oldest of these leases has been known, in seconds; 0 if there is none. */
  long getOldestLeaseSeconds();

  /** Regions that are not reclaimed, because blocks in them were not released for seconds. */
  int getWaitingRegions();

  /** For how long the first of them is held; 0 if none waits. */
  long getLongestWaitSeconds();

  /** Java heap that the bookkeeping takes. */
  long getHeapBytes();

  /** Resident blocks. */
  long getBlocks();

  /** Lookups that found their block. */
  long getHits();

  /** Lookups that did not. */
  long getMisses();

  /** Hits as a share of both, from 0 to 1. */
  double getHitRatio();

  /** Blocks stored. */
  long getPuts();

  /** Their encoded bytes. */
  long getPutBytes();

  /**
   * Encoded bytes written anew while space was reclaimed, to keep their blocks; what went to the
   * devices is the sum of both.
   */
  long getRewrittenBytes();

  /** Encoded bytes of blocks that the background scrub verified. */
  long getScrubbedBytes();

  /** Blocks not stored, by reason. */
  Map<String, Long> getRefusals();

  /** Blocks that left, by cause. */
  Map<String, Long> getEvictions();

  /** What went wrong below the tier, by kind: errors of its devices, and what became of them. */
  Map<String, Long> getTroubles();

  /** The median latency of a sample of the hits. */
  long getHitP50Nanos();

  /** The 99th percentile of the same. */
  long getHitP99Nanos();

  /** The 99.9th percentile of the same. */
  long getHitP999Nanos();
}
