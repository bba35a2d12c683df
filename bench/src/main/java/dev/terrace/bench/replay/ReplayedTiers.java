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
package dev.terrace.bench.replay;

import static dev.terrace.tiered.MoveOutcome.ALREADY_THERE;
import static dev.terrace.tiered.MoveOutcome.MOVED;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.Tier;
import dev.terrace.api.TierStats;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.tiered.MoveStats;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.SecondTouch;
import dev.terrace.tiered.TieredCache;
import dev.terrace.tiered.plan.TierSizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/** Terrace itself: its real tiers with real blocks, the bytes of each hit checked. */
final class ReplayedTiers implements AutoCloseable {

  private static final BlockTraits TRAITS = new BlockTraits(0, Residency.ORDINARY);

  /** So many that the names of files take next to nothing of a region's table. */
  private static final int BLOCKS_PER_FILE = 1 << 16;

  private static final long ACCESS_NANOS = 100_000;

  private final TieredCache<Cacheable> cache;
  private final StoredScale scale;
  private final BlockSet blocks;
  private final Clock clock;

  private ReplayedTiers(
      TieredCache<Cacheable> cache, StoredScale scale, BlockSet blocks, Clock clock) {
    this.cache = cache;
    this.scale = scale;
    this.blocks = blocks;
    this.clock = clock;
  }

  /** The time of a trace: what a tier does once a second is the same on each machine. */
  private static final class Clock implements LongSupplier {

    private long nanos;

    @Override
    public long getAsLong() {
      return nanos;
    }
  }

  /** Opens the tiers of a comparison, at least one. */
  static ReplayedTiers open(Comparison replayed) {
    Clock clock = new Clock();
    TierSizes sizes = replayed.sizes();
    boolean hasLowerTiers = sizes.allBytes() > sizes.dramBytes();
    StoredScale scale = StoredScale.of(replayed.trace(), sizes.dramBytes(), hasLowerTiers);
    HBaseBlockCodec codec = new HBaseBlockCodec();
    List<Tier<Cacheable>> tiers = new ArrayList<>();
    if (sizes.dramBytes() > 0) {
      tiers.add(new DramTier<>(codec, new DramConfig(scale.tierBytes(sizes.dramBytes()), 0)));
    }
    if (sizes.pmemBytes() > 0) {
      tiers.add(regions(codec, "pmem", true, scale, sizes.pmemBytes(), clock));
    }
    if (sizes.ssdBytes() > 0) {
      tiers.add(regions(codec, "ssd", false, scale, sizes.ssdBytes(), clock));
    }
    boolean isEndurance = replayed.writes() == Comparison.Writes.ENDURANCE;
    Movement movement =
        replayed.writes() == Comparison.Writes.EVERYTHING
            ? new Movement(
                Map.of(),
                new SecondTouch(tiers.subList(1, tiers.size())),
                Runnable::run,
                Long.MAX_VALUE)
            : Movement.standard(tiers, isEndurance, Runnable::run, Long.MAX_VALUE);
    BlockSet blocks = scale.blocks(replayed.trace()).inFilesOf(BLOCKS_PER_FILE);
    return new ReplayedTiers(new TieredCache<>(tiers, codec, movement), scale, blocks, clock);
  }

  /** The real tier, over a device that is a piece of memory, working on the replay's own thread. */
  private static RegionTier<Cacheable> regions(
      HBaseBlockCodec codec,
      String name,
      boolean mapped,
      StoredScale scale,
      long sizeBytes,
      LongSupplier clock) {
    MemoryDevice device = MemoryDevice.forRecords(name, mapped, scale, sizeBytes);
    RegionConfig config = RegionConfig.named(name);
    RegionTier<Cacheable> tier =
        new RegionTier<>(codec, List.of(device), config, path -> Runnable::run, clock);
    tier.start();
    return tier;
  }

  /** Looks a block up, and brings it on a miss; true for a hit. */
  boolean access(int block) {
    clock.nanos += ACCESS_NANOS;
    String file = blocks.file(block);
    long offset = blocks.offset(block);
    if (blocks.isHit(block, cache.get(file, offset, Access.CACHING))) {
      return true;
    }
    HFileBlock missing = blocks.newBlock(block);
    cache.put(file, offset, missing, TRAITS);
    missing.release();
    return false;
  }

  /** The figures of each tier, the highest first. */
  List<TierFigures> tiers() {
    List<TierFigures> figures = new ArrayList<>();
    cache.stats().forEach((name, stats) -> figures.add(figures(name, stats)));
    return figures;
  }

  private TierFigures figures(String name, TierStats stats) {
    SortedMap<String, Long> refusals = new TreeMap<>();
    for (MoveStats move : cache.moves()) {
      if (move.to().equals(name)) {
        move.blocks()
            .forEach((outcome, blocks) -> refusals.merge(outcome.name(), blocks, Long::sum));
      }
    }
    refusals.keySet().removeAll(List.of(MOVED.name(), ALREADY_THERE.name()));
    stats.events().refusals().forEach((reason, count) -> refusals.put(reason.name(), count));
    refusals.values().removeIf(count -> count == 0);
    String highest = cache.stats().keySet().iterator().next();
    return new TierFigures(
        name,
        stats.reads().hits().counted(),
        stats.writes().puts(),
        scale.traceBytes(stats.writes().putBytes()),
        scale.traceBytes(stats.writes().rewrittenBytes()),
        moved(move -> move.from().equals(name) && move.to().equals(highest)),
        moved(move -> move.from().equals(name) && !move.to().equals(highest)),
        refusals);
  }

  private long moved(Predicate<MoveStats> which) {
    return cache.moves().stream()
        .filter(which)
        .mapToLong(move -> move.blocks().getOrDefault(MOVED, 0L))
        .sum();
  }

  @Override
  public void close() {
    cache.close();
  }
}
