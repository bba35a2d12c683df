// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.CacheFile;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.Memo;
import dev.terrace.hbase.files.Owner;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.warmup.HotList.Block;
import dev.terrace.hbase.warmup.HotList.OfFile;
import dev.terrace.tiered.TieredCache;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.security.AccessControlException;

/**
 * Saves the list of a region's cached blocks: when the region closes, before the cache ends, and at
 * most once an hour while the region is open, if enough of its blocks have changed. Writes nothing
 * if HBase is read-only, and stops for some minutes if the store denies a write. Thread-safe.
 */
final class HotListWriter {

  /**
   * Shortest time from a region's opening to its first list, and from a failed list to the next
   * attempt. Like {@link #EVERY} it is up to twice as long, by the region's name, so that regions
   * that open together do not write together.
   */
  static final Duration FIRST_AFTER = Duration.ofMinutes(10);

  /** Shortest time between two lists of an open region. */
  static final Duration EVERY = Duration.ofHours(1);

  /** An open region's list is rewritten if at least this share of its blocks has changed. */
  static final double MIN_CHANGED = 0.05;

  /** Maximum time for which a region's close waits for its list. */
  static final Duration MAX_WAIT = Duration.ofSeconds(1);

  /** Pause after the store has denied a list. */
  static final Duration DENIED_FOR = Duration.ofMinutes(15);

  /** Set on clusters that share another cluster's files read-only; unknown before 3.0. */
  static final String IS_READ_ONLY = "hbase.global.readonly.enabled";

  private static final long[] NO_SAMPLE = {};

  private final TieredCache<?> tiers;
  private final int[] tiersHere;
  private final FileCatalog known;
  private final Supplier<String> server;
  private final RateLimitedLog log = new RateLimitedLog(HotListWriter.class);
  private final LongSupplier nanoClock;
  private final Executor threads;

  /** The resident files by region. Regions that close together search them once. */
  private final Memo<Map<String, List<CacheFile>>> residentFiles;

  private final Map<String, Saved> saved = new ConcurrentHashMap<>();
  private final AtomicLong lastMillis = new AtomicLong();
  private final LongAdder lists = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder storeCalls;
  private final LongAdder failures = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private volatile boolean ended;

  /** When the store last denied a list; null if it never has. */
  private volatile Long deniedAtNanos;

  /**
   * An open region's list in the store.
   *
   * @param dueNanos when the next one may be written
   * @param sample of its blocks; empty if this server has written none
   * @param file where it is, if no older list can be there; else null
   */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  private record Saved(long dueNanos, long[] sample, Path file) {}

  /**
   * Starts without lists.
   *
   * @param server the name of this server
   * @param threads write the lists of regions that close
   * @param storeCalls counts calls of the store's file system
   */
  HotListWriter(
      TieredCache<?> tiers,
      FileCatalog known,
      Supplier<String> server,
      Executor threads,
      LongAdder storeCalls,
      LongSupplier nanoClock) {
    this.tiers = tiers;
    this.threads = threads;
    this.storeCalls = storeCalls;
    this.tiersHere = Block.numbers(tiers.tierNames());
    this.known = known;
    this.server = server;
    this.nanoClock = nanoClock;
    this.residentFiles = new Memo<>(this::filesByRegion, nanoClock);
  }

  /** Writes the list of a closed region. Waits for that for one second at most. */
  void closed(HRegion region) {
    Saved last = saved.remove(name(region));
    if (mayWrite(region)) {
      awaitAll(List.of(begin(region, last)), MAX_WAIT);
    }
  }

  private CompletableFuture<Void> begin(HRegion region, Saved last) {
    try {
      return CompletableFuture.runAsync(() -> write(region, list(region), last), threads);
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
            regions.stream()
                .filter(this::mayWrite)
                .map(region -> begin(region, saved.get(name(region))))
                .toList(),
            limit);
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
      log.warn("Warm-up lists not saved in time; regions may start colder after a move", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      log.warn("Warm-up lists of regions not saved; they may start colder after a move", e);
    }
  }

  /** Writes the lists that are due of regions that have changed. Called by one thread. */
  void writeChanged(List<HRegion> regions) {
    saved.keySet().retainAll(regions.stream().map(HotListWriter::name).collect(Collectors.toSet()));
    regions.stream()
        .filter(this::mayWrite)
        .filter(this::isDue)
        .toList()
        .forEach(region -> writeIfChanged(region, list(region)));
  }

  private boolean isDue(HRegion region) {
    Saved last =
        saved.computeIfAbsent(
            name(region), name -> new Saved(after(FIRST_AFTER, name), NO_SAMPLE, null));
    return nanoClock.getAsLong() - last.dueNanos >= 0;
  }

  /** The time from now on, made longer by a share of it that depends on the region. */
  private long after(Duration time, String region) {
    double share = (region.hashCode() & Integer.MAX_VALUE) / (double) Integer.MAX_VALUE;
    return nanoClock.getAsLong() + (long) (time.toNanos() * (1 + share));
  }

  private void writeIfChanged(HRegion region, HotList list) {
    String name = name(region);
    Saved last = saved.get(name);
    long[] sample = list.sample();
    Saved next;
    if (last == null || list.files().isEmpty()) {
      next = new Saved(after(FIRST_AFTER, name), NO_SAMPLE, null);
    } else if (HotList.changedShare(sample, last.sample) < MIN_CHANGED) {
      next = new Saved(after(EVERY, name), last.sample, last.file);
    } else {
      next = write(region, list, last);
    }
    // A region that closed during the write is forgotten.
    saved.computeIfPresent(name, (key, before) -> next);
  }

  /**
   * Writes a list, unless it is empty or the cache has ended.
   *
   * @param last what is known of the list before; null if nothing is
   */
  private Saved write(HRegion region, HotList list, Saved last) {
    String name = name(region);
    Saved again = new Saved(after(FIRST_AFTER, name), NO_SAMPLE, null);
    if (list.files().isEmpty() || ended) {
      return again;
    }
    try {
      byte[] encoded = list.encoded();
      Path written = HotListFile.write(region, list.writtenMillis(), encoded, storeCalls);
      lists.increment();
      bytes.add(encoded.length);
      Path only = deleteOlder(region, written, last == null ? null : last.file) ? written : null;
      return new Saved(after(EVERY, name), list.sample(), only);
    } catch (FileNotFoundException e) {
      // The region's directory is gone with its table.
      dropped.increment();
      return new Saved(after(EVERY, name), list.sample(), null);
    } catch (IOException | RuntimeException | Error e) {
      failed(region, e);
      return again;
    }
  }

  private boolean deleteOlder(HRegion region, Path written, Path older) {
    try {
      HotListFile.deleteOlder(region, written, older, storeCalls);
      return true;
    } catch (IOException | RuntimeException | Error e) {
      recordDenial(e);
      log.warn(
          "Older warm-up list not deleted, retried with the next list: region=" + name(region), e);
      return false;
    }
  }

  private void failed(HRegion region, Throwable cause) {
    recordDenial(cause);
    failures.increment();
    log.warn("Warm-up list not saved, a moved region starts colder: region=" + name(region), cause);
  }

  private void recordDenial(Throwable cause) {
    if (cause instanceof AccessControlException || cause instanceof AccessDeniedException) {
      deniedAtNanos = nanoClock.getAsLong();
    }
  }

  private HotList list(HRegion region) {
    // Later than the last list, so that their order is known.
    long millis = lastMillis.updateAndGet(last -> Math.max(last + 1, System.currentTimeMillis()));
    List<OfFile> listed = new ArrayList<>();
    // The primary replica's name, under which its files count.
    String folder = region.getRegionFileSystem().getRegionInfoForFS().getEncodedName();
    for (CacheFile file : residentFiles.get().getOrDefault(folder, List.of())) {
      List<Block> collected = new ArrayList<>();
      tiers.forEachBlock(
          file,
          (tier, offset, sizeBytes, traits, hits) ->
              collected.add(
                  new Block(
                      offset,
                      sizeBytes,
                      Block.mark(
                          tiersHere[tier], traits.residency() == Residency.PROTECTED, hits))));
      OfFile blocks = OfFile.of(file.name(), collected);
      if (!blocks.blocks().isEmpty()) {
        listed.add(blocks);
      }
    }
    return new HotList(millis, server.get(), listed);
  }

  /** The resident files by region; without MOB files, which no store lists. */
  private Map<String, List<CacheFile>> filesByRegion() {
    Map<String, List<CacheFile>> files = new HashMap<>();
    for (CacheFile file : tiers.files().all()) {
      if (!StoreFileNames.isMob(file.name()) && tiers.residentBytes(file) > 0) {
        known.owners(file).stream()
            .map(Owner::region)
            .distinct()
            .forEach(region -> files.computeIfAbsent(region, name -> new ArrayList<>()).add(file));
      }
    }
    return files;
  }

  private static String name(HRegion region) {
    return region.getRegionInfo().getEncodedName();
  }

  /** Adds the counters of written lists since the start. */
  void addTo(Map<String, Long> figures) {
    figures.put("listsWritten", lists.sum());
    figures.put("listBytesWritten", bytes.sum());
    figures.put("listStoreCalls", storeCalls.sum());
    figures.put("listsNotWritten", failures.sum());
    figures.put("listsOfDroppedRegions", dropped.sum());
  }
}
