// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.Owner;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.warmup.HeatList.Block;
import dev.terrace.hbase.warmup.HeatList.Mark;
import dev.terrace.hbase.warmup.HeatList.OfFile;
import dev.terrace.tiered.TieredCache;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.security.AccessControlException;

/**
 * Saves the list of a region's cached blocks: when the region closes, before the cache ends, and
 * while the region is open, if its blocks have changed. Writes nothing if HBase is read-only, and
 * stops for some minutes if the store denies a write. Thread-safe.
 */
final class HeatWriter {

  /** An open region's list is rewritten after this time, if its blocks differ. */
  static final Duration EVERY = Duration.ofMinutes(10);

  /** Maximum time for which a region's close waits for its list. */
  static final Duration MAX_WAIT = Duration.ofSeconds(1);

  /** Pause after the store has denied a list. */
  static final Duration DENIED_FOR = Duration.ofMinutes(15);

  /** Set on clusters that share another cluster's files read-only; unknown before 3.0. */
  static final String IS_READ_ONLY = "hbase.global.readonly.enabled";

  private final TieredCache<?> tiers;
  private final int[] tiersHere;
  private final FileCatalog known;
  private final RateLimitedLog log;
  private final LongSupplier nanoClock;
  private final Executor threads;

  private final Map<String, Written> written = new ConcurrentHashMap<>();
  private final AtomicLong lastMillis = new AtomicLong();
  private final LongAdder lists = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private volatile boolean ended;

  /** When the store last denied a list; null if it never has. */
  private volatile Long deniedAtNanos;

  /**
   * The last list that was written for a region.
   *
   * @param set hash of its blocks and their tiers
   */
  private record Written(long atNanos, int set) {}

  /**
   * Starts without lists.
   *
   * @param threads write the lists of regions that close
   */
  HeatWriter(
      TieredCache<?> tiers,
      FileCatalog known,
      Executor threads,
      RateLimitedLog log,
      LongSupplier nanoClock) {
    this.tiers = tiers;
    this.threads = threads;
    this.tiersHere = Mark.numbers(tiers.tierNames());
    this.known = known;
    this.log = log;
    this.nanoClock = nanoClock;
  }

  /** Writes the list of a closed region. Waits for that for one second at most. */
  void closed(HRegion region) {
    written.remove(name(region));
    if (mayWrite(region)) {
      awaitAll(List.of(begin(region)), MAX_WAIT);
    }
  }

  private CompletableFuture<Void> begin(HRegion region) {
    try {
      return CompletableFuture.runAsync(() -> write(region, list(region)), threads);
    } catch (RuntimeException | Error e) {
      failed(region, e);
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Writes the lists of all regions, within a time limit. Writes none after that. */
  void end(List<HRegion> regions, Duration limit) {
    try {
      if (!ended) {
        awaitAll(
            regions.stream().filter(this::mayWrite).map(region -> begin(region)).toList(), limit);
      }
    } finally {
      ended = true;
    }
  }

  /** A closed cache reports no blocks: do not overwrite the list with an empty one. */
  private boolean mayWrite(HRegion region) {
    Long denied = deniedAtNanos;
    return !ended
        && !region.getReadOnlyConfiguration().getBoolean(IS_READ_ONLY, false)
        && (denied == null || nanoClock.getAsLong() - denied >= DENIED_FOR.toNanos());
  }

  private void awaitAll(List<CompletableFuture<Void>> writes, Duration limit) {
    CompletableFuture<Void> all = CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new));
    try {
      all.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      log.warn("Lists of heat are late", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      log.warn("Lists of heat not written", e);
    }
  }

  /** Writes the lists of regions that have changed. Called by one thread. */
  void writeChanged(List<HRegion> regions) {
    written.keySet().retainAll(regions.stream().map(HeatWriter::name).collect(Collectors.toSet()));
    regions.stream().filter(this::mayWrite).forEach(this::writeIfChanged);
  }

  private void writeIfChanged(HRegion region) {
    long now = nanoClock.getAsLong();
    Written last = written.computeIfAbsent(name(region), name -> new Written(now, 0));
    if (now - last.atNanos < EVERY.toNanos()) {
      return;
    }
    HeatList list = list(region);
    int set = set(list);
    boolean isWritten = set == last.set || write(region, list);
    // A failed write is retried. A region that closed during the write is forgotten.
    written.computeIfPresent(
        name(region), (name, before) -> new Written(now, isWritten ? set : last.set));
  }

  /** A hash of the blocks and their tiers, regardless of hits. */
  private static int set(HeatList list) {
    int set = 1;
    for (OfFile file : list.files()) {
      set = 31 * set + file.file().hashCode();
      for (Block block : file.blocks()) {
        set = 31 * set + Long.hashCode(block.offset());
        set = 31 * set + Mark.tier(block.mark());
      }
    }
    return set;
  }

  /**
   * Writes a list, unless it is empty or the cache has ended.
   *
   * @return whether no further attempt is needed
   */
  private boolean write(HRegion region, HeatList list) {
    if (list.files().isEmpty() || ended) {
      return false;
    }
    try {
      byte[] encoded = list.encoded();
      HeatFile.write(region, list.writtenMillis(), encoded);
      lists.increment();
      bytes.add(encoded.length);
      return true;
    } catch (FileNotFoundException e) {
      // The region's directory is gone with its table.
      dropped.increment();
      return true;
    } catch (IOException | RuntimeException | Error e) {
      if (e instanceof AccessControlException || e instanceof AccessDeniedException) {
        deniedAtNanos = nanoClock.getAsLong();
      }
      failed(region, e);
      return false;
    }
  }

  private void failed(HRegion region, Throwable cause) {
    failures.increment();
    log.warn("List of heat not written: region=" + name(region), cause);
  }

  private HeatList list(HRegion region) {
    // Later than the last list, so that their order is known.
    long millis = lastMillis.updateAndGet(last -> Math.max(last + 1, System.currentTimeMillis()));
    List<OfFile> listed = new ArrayList<>();
    for (String file : files(region)) {
      List<Block> collected = new ArrayList<>();
      tiers.forEachBlock(
          file,
          (tier, offset, sizeBytes, traits, hits) ->
              collected.add(
                  new Block(
                      offset,
                      sizeBytes,
                      Mark.of(tiersHere[tier], traits.residency() == Residency.PROTECTED, hits))));
      OfFile blocks = OfFile.of(file, collected);
      if (!blocks.blocks().isEmpty()) {
        listed.add(blocks);
      }
    }
    return new HeatList(millis, listed);
  }

  /** The resident files of a region; without MOB files, which no store lists. */
  private List<String> files(HRegion region) {
    // That of the primary replica.
    String folder = region.getRegionFileSystem().getRegionInfoForFS().getEncodedName();
    return tiers.fileNames().stream()
        .filter(file -> !StoreFileNames.isMob(file))
        .filter(file -> known.owners(file).stream().map(Owner::region).anyMatch(folder::equals))
        .sorted()
        .toList();
  }

  private static String name(HRegion region) {
    return region.getRegionInfo().getEncodedName();
  }

  /** Adds the counters of written lists since the start. */
  void addTo(Map<String, Long> figures) {
    figures.put("listsWritten", lists.sum());
    figures.put("listBytesWritten", bytes.sum());
    figures.put("listsNotWritten", failures.sum());
    figures.put("listsOfDroppedRegions", dropped.sum());
  }
}
