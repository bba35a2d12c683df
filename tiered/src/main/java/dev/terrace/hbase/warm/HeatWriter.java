// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warm;

import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.FileUsage;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.hbase.files.Memo;
import dev.terrace.hbase.files.Owner;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.hbase.warm.list.HeatList;
import dev.terrace.hbase.warm.list.HeatList.Blocks;
import dev.terrace.hbase.warm.list.HeatList.Mark;
import dev.terrace.hbase.warm.list.HeatList.OfFile;
import dev.terrace.tiered.TieredCache;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * Writes down which blocks of a region are cached: when the region closes, before the cache ends,
 * and while the region is open, if many have changed. Writes nothing where HBase is read-only, or
 * for some minutes where the store does not let it. Thread-safe.
 */
final class HeatWriter {

  /** No list of an open region is written again sooner. */
  static final Duration QUICKEST = Duration.ofMinutes(5);

  /** A list of an open region is written again after this time, if its blocks are others. */
  static final Duration SLOWEST = Duration.ofMinutes(15);

  /** A close waits for its list for so long. */
  static final Duration MOST_WAIT = Duration.ofSeconds(1);

  /** After the store denied a list no other one is tried for this time. */
  static final Duration DENIED_FOR = Duration.ofMinutes(15);

  /** Set on clusters that share their files with the one that writes them; unknown before 3.0. */
  static final String IS_READ_ONLY = "hbase.global.readonly.enabled";

  /** If more of its blocks came or went, a list is written again soon. */
  private static final double MUCH = 0.1;

  /** Closes whose lists are not written yet. With more, lists are left out. */
  static final int MOST_PENDING = 1_000;

  private final TieredCache<?> tiers;
  private final int[] tiersHere;
  private final KnownFiles known;
  private final RateLimitedLog log;
  private final LongSupplier nanoClock;
  private final Executor threads;
  private final Memo<Grouped> grouped;
  private final Memo<Set<String>> resident;
  private final Map<String, Written> written = new ConcurrentHashMap<>();
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private final AtomicLong lastMillis = new AtomicLong();
  private final LongAdder lists = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private volatile boolean ended;

  /** When the store denied a list; null if it did not. */
  private volatile Long deniedAtNanos;

  /**
   * What a region's list had when it was written last.
   *
   * @param blocks by file, of all tiers together
   * @param set of the blocks, to tell it from another one
   */
  private record Written(long atNanos, Map<String, Integer> blocks, int set) {}

  /**
   * Writes nothing yet.
   *
   * @param threads write the lists of regions that close
   */
  HeatWriter(
      TieredCache<?> tiers,
      KnownFiles known,
      Executor threads,
      RateLimitedLog log,
      LongSupplier nanoClock) {
    this.tiers = tiers;
    this.threads = threads;
    this.tiersHere = Mark.numbers(tiers.tierNames());
    this.known = known;
    this.log = log;
    this.nanoClock = nanoClock;
    this.grouped = new Memo<>(this::groupFiles, nanoClock);
    this.resident = new Memo<>(tiers::fileNames, nanoClock);
  }

  /** A region is open: its list is as its last server wrote it. */
  void opened(HRegion region) {
    written.put(name(region), new Written(nanoClock.getAsLong(), Map.of(), 0));
  }

  /**
   * Writes the list of a region that is closed, and waits for that a second at most.
   *
   * @param rest what it had still to warm
   */
  void closed(HRegion region, List<OfFile> rest) {
    written.remove(name(region));
    if (!mayWrite(region)) {
      return;
    }
    if (pending.incrementAndGet() > MOST_PENDING) {
      pending.decrementAndGet();
      failed(region, new IOException(MOST_PENDING + " lists wait already"));
      return;
    }
    CompletableFuture<Void> done =
        begin(region, rest).whenComplete((nothing, failure) -> pending.decrementAndGet());
    if (late.get() == 0) {
      awaitAll(List.of(done), MOST_WAIT);
    }
  }

  private CompletableFuture<Void> begin(HRegion region, List<OfFile> rest) {
    try {
      return CompletableFuture.runAsync(() -> write(region, rest), threads);
    } catch (RuntimeException | Error e) {
      failed(region, e);
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Writes the lists of all regions, within a time, and none after that: the cache is to end. */
  void end(List<HRegion> regions, Duration limit) {
    try {
      if (!ended) {
        awaitAll(
            regions.stream()
                .filter(this::mayWrite)
                .map(region -> begin(region, List.of()))
                .toList(),
            limit);
      }
    } finally {
      ended = true;
    }
  }

  /** Whether to try it: what a cache that has ended knows of its blocks is nothing. */
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
      late.incrementAndGet();
      var unused = all.whenComplete((nothing, failure) -> late.decrementAndGet());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      log.warn("Lists of heat not written", e);
    }
  }

  /** Writes the lists of the regions that have changed. One thread calls it. */
  void writeChanged(List<HRegion> regions) {
    if (ended) {
      return;
    }
    Map<String, Integer> counts = new HashMap<>();
    for (Iterator<FileUsage> files : tiers.filesByTier().values()) {
      files.forEachRemaining(usage -> counts.merge(usage.file(), usage.blocks(), Integer::sum));
    }
    Map<String, List<String>> files = grouped.get().byRegion;
    Set<String> open = regions.stream().map(HeatWriter::name).collect(Collectors.toSet());
    written.keySet().retainAll(open);
    for (HRegion region : regions) {
      Map<String, Integer> blocks = new HashMap<>();
      files
          .getOrDefault(folder(region), List.of())
          .forEach(file -> blocks.put(file, counts.getOrDefault(file, 0)));
      writeIfChanged(region, blocks);
    }
  }

  private void writeIfChanged(HRegion region, Map<String, Integer> blocks) {
    long now = nanoClock.getAsLong();
    Written last = written.computeIfAbsent(name(region), name -> new Written(now, Map.of(), 0));
    long age = now - last.atNanos;
    boolean isDue =
        age >= SLOWEST.toNanos()
            || (age >= QUICKEST.toNanos() && hasChangedMuch(last.blocks, blocks));
    if (!isDue) {
      return;
    }
    HeatList list = list(region, List.of());
    int set = set(list);
    boolean isWritten = set == last.set || (mayWrite(region) && write(region, list));
    // What was not written is tried again. A region that closed meanwhile is forgotten.
    written.computeIfPresent(
        name(region),
        (name, before) ->
            isWritten ? new Written(now, blocks, set) : new Written(now, last.blocks, last.set));
  }

  private static boolean hasChangedMuch(Map<String, Integer> before, Map<String, Integer> now) {
    long all = before.values().stream().mapToLong(Integer::longValue).sum();
    long changed = 0;
    for (Map.Entry<String, Integer> file : now.entrySet()) {
      changed += Math.abs(file.getValue() - before.getOrDefault(file.getKey(), 0));
    }
    for (Map.Entry<String, Integer> file : before.entrySet()) {
      changed += now.containsKey(file.getKey()) ? 0 : file.getValue();
    }
    return changed > MUCH * all;
  }

  /** The same for the same blocks in the same tiers, however often they were hit. */
  private static int set(HeatList list) {
    int set = 1;
    for (OfFile file : list.files()) {
      set = 31 * set + file.file().hashCode();
      set = 31 * set + Arrays.hashCode(file.offsets());
      for (byte mark : file.marks()) {
        set = 31 * set + Mark.tier(mark);
      }
    }
    return set;
  }

  private void write(HRegion region, List<OfFile> rest) {
    boolean unused = !ended && write(region, list(region, rest));
  }

  /**
   * Writes a list, unless it is empty or the cache has ended meanwhile.
   *
   * @return whether that is done
   */
  private boolean write(HRegion region, HeatList list) {
    if (list.files().isEmpty() || ended) {
      return false;
    }
    try {
      byte[] encoded = list.encoded();
      HeatFile.write(region, list.writtenMillis(), encoded);
      deniedAtNanos = null;
      lists.increment();
      bytes.add(encoded.length);
      return true;
    } catch (FileNotFoundException e) {
      return isDropped(region, e);
    } catch (AccessControlException | AccessDeniedException e) {
      return denied(region, e);
    } catch (IOException | RuntimeException | Error e) {
      failed(region, e);
      return false;
    }
  }

  /** The local file system says the same of a folder that is gone and of one that is read-only. */
  private boolean isDropped(HRegion region, IOException cause) {
    HRegionFileSystem files = region.getRegionFileSystem();
    try {
      if (files.getFileSystem().exists(files.getRegionDir())) {
        return denied(region, cause);
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
      failed(region, cause);
      return false;
    }
    dropped.increment();
    return true;
  }

  private boolean denied(HRegion region, IOException cause) {
    deniedAtNanos = nanoClock.getAsLong();
    failed(region, cause);
    return false;
  }

  private void failed(HRegion region, Throwable cause) {
    failures.increment();
    log.warn("List of heat not written: region=" + name(region), cause);
  }

  /** The list of a region as it is now, the rest of an older one included. */
  HeatList list(HRegion region, List<OfFile> rest) {
    return list(files(folder(region)), rest);
  }

  private HeatList list(Collection<String> files, List<OfFile> rest) {
    long millis = nextMillis();
    Map<String, Blocks> blocks = new HashMap<>();
    for (String file : files) {
      Blocks collected = new Blocks();
      tiers.forEachBlock(
          file,
          (tier, offset, sizeBytes, traits, hits) ->
              collected.add(
                  offset,
                  sizeBytes,
                  Mark.of(tiersHere[tier], traits.residency() == Residency.PROTECTED, hits)));
      blocks.put(file, collected);
    }
    for (OfFile file : rest) {
      Blocks collected = blocks.computeIfAbsent(file.file(), name -> new Blocks());
      for (int i = 0; i < file.blocks(); i++) {
        collected.add(file.offsets()[i], file.sizes()[i], file.marks()[i]);
      }
    }
    List<OfFile> listed =
        blocks.entrySet().stream()
            .map(file -> file.getValue().of(file.getKey()))
            .filter(file -> file.blocks() > 0)
            .sorted((one, other) -> one.file().compareTo(other.file()))
            .toList();
    return new HeatList(millis, listed);
  }

  /** The time; later than that of the last list, as it tells which one is newer. */
  private long nextMillis() {
    return lastMillis.updateAndGet(last -> Math.max(last + 1, System.currentTimeMillis()));
  }

  /**
   * The resident files.
   *
   * @param byRegion those that are read in a region's folder. No store lists MOB files.
   */
  private record Grouped(Set<String> files, Map<String, List<String>> byRegion) {}

  private Grouped groupFiles() {
    Set<String> files = tiers.fileNames();
    Map<String, List<String>> byRegion = new HashMap<>();
    for (String file : files) {
      for (String region : regions(file)) {
        byRegion.computeIfAbsent(region, added -> new ArrayList<>()).add(file);
      }
    }
    return new Grouped(files, byRegion);
  }

  private Set<String> regions(String file) {
    return StoreFileNames.isMob(file)
        ? Set.of()
        : known.owners(file).stream().map(Owner::region).collect(Collectors.toSet());
  }

  /** The resident files of a region, with those that a flush or a compaction has just written. */
  private List<String> files(String region) {
    Grouped before = grouped.get();
    List<String> files = new ArrayList<>(before.byRegion.getOrDefault(region, List.of()));
    // To list them costs much less than to group them, so this is fresher.
    for (String file : resident.get()) {
      if (!before.files.contains(file) && regions(file).contains(region)) {
        files.add(file);
      }
    }
    return files;
  }

  private static String name(HRegion region) {
    return region.getRegionInfo().getEncodedName();
  }

  /** The name of the region's folder: that of the primary replica. */
  private static String folder(HRegion region) {
    return region.getRegionFileSystem().getRegionInfoForFS().getEncodedName();
  }

  /** What was written since the start. */
  void addTo(Map<String, Long> figures) {
    figures.put("listsWritten", lists.sum());
    figures.put("listBytesWritten", bytes.sum());
    figures.put("listsNotWritten", failures.sum());
    figures.put("listsOfDroppedRegions", dropped.sum());
  }
}
