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
package dev.terrace.hbase.warm;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** A region that is warmed, because it has opened, or on command. Guarded by its warmer. */
final class Warming {

  /** Blocks that nobody named hot come after all others. */
  private static final int LAST_RANK = Integer.MAX_VALUE;

  final HRegion region;

  /** Whether it is still to be warmed. Read by any thread. */
  volatile boolean isActive = true;

  /** Whether it is in the queue of what has something to take. */
  boolean isReady;

  /** Its {@link #rank} when it came into the queue. */
  int queuedRank;

  /** Whether nobody but an operator asked for it: the region has been open for some time. */
  final boolean isByCommandAlone;

  final Map<Fate, Long> fates = new EnumMap<>(Fate.class);

  /** By file. */
  final Map<String, Integer> failures = new ConcurrentHashMap<>();

  /** Null if no command asks for it. */
  WarmCommand command;

  /** Null until its list is read. */
  WarmPlan plan;

  /** What comes after the plan; null for nothing. */
  FileSweep sweep;

  long readBytes;
  private final long sinceNanos = System.nanoTime();

  Warming(HRegion region, WarmCommand command) {
    this.region = region;
    this.command = command;
    this.isByCommandAlone = command != null;
  }

  String name() {
    return region.getRegionInfo().getEncodedName();
  }

  /** Whether its list is read, and there is something that nobody has taken. */
  boolean hasNext() {
    return plan != null && (plan.hasNext() || (plan.isDone() && sweep != null && sweep.hasNext()));
  }

  /** How urgent the next piece is, the smallest number first. */
  int rank() {
    return plan.hasNext() ? plan.rank() : LAST_RANK;
  }

  /** Its list is read. */
  boolean isDone() {
    return plan.isDone() && (sweep == null || sweep.isDone());
  }

  /** Bytes that are to be looked at, as far as is known. */
  long bytes() {
    return (plan == null ? 0 : plan.bytes()) + (sweep == null ? 0 : sweep.bytes());
  }

  /** Those of them that were looked at. */
  long passedBytes() {
    return (plan == null ? 0 : plan.doneBytes()) + (sweep == null ? 0 : sweep.passedBytes());
  }

  void count(Fate fate, long blocks) {
    fates.merge(fate, blocks, Long::sum);
  }

  /** What the log has at its end; empty if it had no blocks. */
  String line() {
    StringBuilder line = new StringBuilder();
    fates.forEach(
        (fate, blocks) -> {
          if (blocks > 0) {
            line.append(' ').append(fate.word()).append('=').append(blocks);
          }
        });
    return line.isEmpty()
        ? ""
        : "region="
            + name()
            + " table="
            + region.getRegionInfo().getTable()
            + line
            + " readBytes="
            + readBytes
            + " ms="
            + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
  }
}
