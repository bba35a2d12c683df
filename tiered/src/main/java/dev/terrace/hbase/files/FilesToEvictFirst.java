// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import dev.terrace.region.files.FileRules;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Decides which cached files leave first: a tier that needs room evicts their blocks before all
 * others, and counts them as free room until then. Tiers below neither take nor rewrite such
 * blocks. A file leaves first in five cases: HBase calls it cold; all its stores have compacted it;
 * the open regions that had it have dropped it; no server serves the regions that had it; they have
 * moved, so that no store here has had it for some minutes. Once a store reads it again, the next
 * check makes it an ordinary file.
 *
 * <p>In a file that a compaction reads, blocks that the compaction has passed are treated likewise.
 *
 * <p>HBase evicts most files that it deletes, but not the output of a failed compaction, which
 * leaves first. Thread-safe, unless noted otherwise.
 */
public final class FilesToEvictFirst implements FileRules.ExpiringBlocks, FileListener {

  /** By then a region that moves or restarts is usually back, if it comes back at all. */
  static final Duration GRACE = Duration.ofMinutes(5);

  private final FileCatalog known;
  private final RunningCompactions compactions;
  private final ClosedRegions closedRegions;
  private final Supplier<Set<String>> coldFiles;
  private final LongSupplier nanoClock;
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();

  // Used by the thread that looks.
  /** When each file without a store was first found so, by name. */
  private Map<String, Long> absentSince = Map.of();

  /** The files that the tiers were told to evict first. */
  private Set<String> told = Set.of();

  /**
   * Knows no file yet.
   *
   * @param coldFiles the names of the store files whose data HBase calls cold
   */
  public FilesToEvictFirst(
      FileCatalog known,
      RunningCompactions compactions,
      ClosedRegions closedRegions,
      Supplier<Set<String>> coldFiles,
      LongSupplier nanoClock) {
    this.known = known;
    this.compactions = compactions;
    this.closedRegions = closedRegions;
    this.coldFiles = coldFiles;
    this.nanoClock = nanoClock;
  }

  /** The files that leave first. */
  public Set<CacheFile> leavingFirst(CacheFiles files) {
    return leaving.stream().map(files::find).collect(Collectors.toSet());
  }

  @Override
  public boolean isLeaving(CacheFile file, long offset) {
    return leaving.contains(file.name()) || compactions.areDoneWith(file.name(), offset);
  }

  /** A region has opened here: its files no longer leave first. */
  public void opened(HRegion region) {
    OnlineRegion.of(region).files().forEach(file -> leaving.remove(file.name()));
  }

  @Override
  public void givenUp(CacheFile file) {
    compactions.dropped(file.name());
  }

  @Override
  public void evicting(String name) {
    compactions.dropped(name);
    leaving.remove(name);
  }

  /** Examines each cached file, and updates the tiers. Called by one thread, every few seconds. */
  public void look(TieredCache<?> tiers) {
    OpenFiles.Found found = compactions.forgetEnded() ? known.walk() : known.openNow();
    Set<String> cold =
        coldFiles.get().stream().map(StoreFileNames::physical).collect(Collectors.toSet());
    long now = nanoClock.getAsLong();
    Map<String, Long> absent = new HashMap<>();
    Set<String> next = new HashSet<>();
    for (CacheFile resident : tiers.residentFiles()) {
      String file = resident.name();
      List<OpenStoreFile> stores = found.of(file);
      boolean leavesFirst;
      if (stores.isEmpty()) {
        leavesFirst = isAbsent(file, found) && hasBeenAbsent(file, found, now, absent);
      } else {
        known.listed(file, stores);
        leavesFirst =
            cold.contains(file)
                || stores.stream().allMatch(store -> store.stage() == Stage.COMPACTED);
      }
      if (leavesFirst) {
        next.add(file);
      }
    }
    absentSince = absent;
    leaving.retainAll(next);
    leaving.addAll(next);
    next.stream()
        .filter(file -> !told.contains(file))
        .forEach(f -> tiers.evictFirst(tiers.files().find(f), true));
    told.stream()
        .filter(file -> !next.contains(file))
        .forEach(f -> tiers.evictFirst(tiers.files().find(f), false));
    told = next;
    // Computing the bytes of regions also forgets files, but not every HBase version asks for them.
    known.retain(file -> tiers.isResident(tiers.files().find(file)));
  }

  /** Whether no store reads or writes a file. No store lists MOB files, so their table decides. */
  private boolean isAbsent(String file, OpenFiles.Found found) {
    if (StoreFileNames.isMob(file)) {
      String table = known.table(file);
      return table != null && !found.hasTable(table);
    }
    return !compactions.areWriting(file);
  }

  /** Two checks must agree on a dropped file: a store may be about to list a new file. */
  private boolean hasBeenAbsent(
      String file, OpenFiles.Found found, long now, Map<String, Long> absent) {
    Long since = absentSince.get(file);
    absent.put(file, since == null ? now : since);
    if (since == null) {
      return false;
    }
    Predicate<String> gaveUp =
        region -> found.isOpen(region) || closedRegions.isServedNowhere(region);
    boolean isGivenUp = !StoreFileNames.isMob(file) && known.isGivenUp(file, gaveUp);
    return isGivenUp || now - since >= GRACE.toNanos();
  }
}
