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

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.Tier;
import dev.terrace.api.TierStats;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.tiered.MoveOutcome;
import dev.terrace.tiered.MoveStats;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Terrace itself: its real tiers with real blocks, each hit checked against the block's number. */
final class ReplayedTiers implements ReplayedCache, AutoCloseable {

  private static final BlockTraits TRAITS = new BlockTraits(0, Residency.ORDINARY);
  private static final int BLOCKS_PER_FILE = 4096;
  private static final long OFFSET_STEP = 64 * 1024;

  private final TieredCache<ReplayBlock> cache;
  private final StoredScale scale;
  private final List<String> files = new ArrayList<>();

  private ReplayedTiers(TieredCache<ReplayBlock> cache, StoredScale scale) {
    this.cache = cache;
    this.scale = scale;
  }

  /** Opens the tiers of a comparison. */
  static ReplayedTiers open(Comparison sizes) {
    StoredScale scale = StoredScale.of(sizes);
    ReplayBlock.Codec codec = new ReplayBlock.Codec();
    List<Tier<ReplayBlock>> tiers = new ArrayList<>();
    tiers.add(new DramTier<>(codec, new DramConfig(scale.tierBytes(sizes.dramBytes()), 0)));
    if (sizes.pmemBytes() > 0) {
      tiers.add(regions(codec, "pmem", true, scale, sizes.pmemBytes()));
    }
    if (sizes.ssdBytes() > 0) {
      tiers.add(regions(codec, "ssd", false, scale, sizes.ssdBytes()));
    }
    boolean isEndurance = sizes.writes() == Comparison.Writes.ENDURANCE;
    Movement movement =
        sizes.writes() == Comparison.Writes.EVERYTHING
            ? Movement.ofAll(tiers, Runnable::run, Long.MAX_VALUE)
            : Movement.standard(tiers, isEndurance, Runnable::run, Long.MAX_VALUE);
    return new ReplayedTiers(new TieredCache<>(tiers, codec, movement), scale);
  }

  /** The real tier, over a device that is a piece of memory, working on the replay's own thread. */
  private static RegionTier<ReplayBlock> regions(
      ReplayBlock.Codec codec, String name, boolean mapped, StoredScale scale, long sizeBytes) {
    MemoryDevice device = MemoryDevice.forRecords(name, mapped, scale, sizeBytes);
    RegionConfig config = RegionConfig.named(name);
    RegionTier<ReplayBlock> tier =
        new RegionTier<>(codec, List.of(device), config, path -> Runnable::run, System::nanoTime);
    tier.start();
    return tier;
  }

  @Override
  public boolean access(int block, int sizeBytes) {
    String file = file(block);
    long offset = block % BLOCKS_PER_FILE * OFFSET_STEP;
    int storedBytes = scale.storedBytes(sizeBytes);
    ReplayBlock found = cache.get(file, offset, Access.CACHING);
    if (found != null) {
      found.verify(block, storedBytes);
      found.release();
      return true;
    }
    ReplayBlock missing = ReplayBlock.ofNumber(block, storedBytes);
    cache.put(file, offset, missing, TRAITS);
    missing.release();
    return false;
  }

  private String file(int block) {
    int index = block / BLOCKS_PER_FILE;
    while (files.size() <= index) {
      files.add("replayed-" + files.size());
    }
    return files.get(index);
  }

  /** What each tier did, the highest first. */
  List<TierFigures> tiers() {
    List<TierFigures> figures = new ArrayList<>();
    cache.stats().forEach((name, stats) -> figures.add(figures(name, stats)));
    return figures;
  }

  private TierFigures figures(String name, TierStats stats) {
    SortedMap<String, Long> refusals = new TreeMap<>();
    cache.moves().stream()
        .filter(move -> move.to().equals(name))
        .forEach(move -> move.blocks().forEach((outcome, n) -> addRefusal(refusals, outcome, n)));
    stats.refusals().forEach((reason, count) -> refusals.put(reason.name(), count));
    refusals.values().removeIf(count -> count == 0);
    return new TierFigures(
        name,
        stats.hits().counted(),
        stats.puts(),
        scale.traceBytes(stats.putBytes()),
        scale.traceBytes(stats.rewrittenBytes()),
        moved(move -> move.from().equals(name) && isUpwards(move)),
        moved(move -> move.from().equals(name) && !isUpwards(move)),
        refusals);
  }

  private static void addRefusal(Map<String, Long> refusals, MoveOutcome outcome, long blocks) {
    if (outcome != MoveOutcome.MOVED && outcome != MoveOutcome.ALREADY_THERE) {
      refusals.merge(outcome.name(), blocks, Long::sum);
    }
  }

  private boolean isUpwards(MoveStats move) {
    return move.to().equals(cache.stats().keySet().iterator().next());
  }

  private long moved(Predicate<MoveStats> which) {
    return cache.moves().stream()
        .filter(which)
        .mapToLong(move -> move.blocks().getOrDefault(MoveOutcome.MOVED, 0L))
        .sum();
  }

  @Override
  public void close() {
    cache.close();
  }
}
