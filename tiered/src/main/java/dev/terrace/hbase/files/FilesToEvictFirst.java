// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import dev.terrace.region.log.ExpiringBlocks;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

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
public final class FilesToEvictFirst implements ExpiringBlocks {

  /** By then a region that moves or restarts is usually back, if it comes back at all. */
  static final Duration GRACE = Duration.ofMinutes(5);

  /** Files examined at each check: more take turns. */
  static final int MAX_EXAMINED = 4_000;

  private final FileCatalog known;
  private final OpenFiles open;
  private final RunningCompactions compactions;
  private final ClosedRegions closedRegions;
  private final Supplier<Set<String>> coldFiles;
  private final LongSupplier nanoClock;

  /** The rest of the pass over all files. */
  private Iterator<CacheFile> pass = Collections.emptyIterator();

  private long passBytes;
  private volatile long leavingBytes;

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
    this.open = known.open();
    this.compactions = compactions;
    this.closedRegions = closedRegions;
    this.coldFiles = coldFiles;
    this.nanoClock = nanoClock;
  }

  /** The bytes, in all tiers, of the files that left first at the last pass over all files. */
  public long leavingBytes() {
    return leavingBytes;
  }

  @Override
  public boolean test(CacheFile file, long offset) {
    return FileFacts.of(file).isLeaving || compactions.hasPassed(file, offset);
  }

  /** A store drops a file that others still read, or a part of a file. */
  public void givenUp(CacheFile file) {
    compactions.dropped(file);
  }

  /** All blocks of a file are about to be evicted. */
  public void evicting(CacheFile file) {
    compactions.dropped(file);
    FileFacts.of(file).isLeaving = false;
  }

  /**
   * Examines cached files, {@value #MAX_EXAMINED} at most, starting where the last check ended, and
   * updates the tiers. Called by one thread, every few seconds.
   */
  public void check(TieredCache<?> tiers) {
    OpenFiles unused = compactions.forgetEnded() ? open.walk() : open.now();
    Set<CacheFile> cold = coldFiles.get().stream().map(known::find).collect(Collectors.toSet());
    long now = nanoClock.getAsLong();
    if (!pass.hasNext()) {
      pass = tiers.files().all().iterator();
      passBytes = 0;
    }
    for (int i = 0; i < MAX_EXAMINED && pass.hasNext(); i++) {
      CacheFile file = pass.next();
      FileFacts facts = FileFacts.of(file);
      long residentBytes = tiers.residentBytes(file);
      boolean leaves = isToLeave(file, residentBytes > 0, cold, now);
      facts.isLeaving = leaves;
      passBytes += leaves ? residentBytes : 0;
      if (leaves != facts.isTold) {
        facts.isTold = leaves;
        tiers.setEvictFirst(file, leaves);
        known.moved(file);
      }
    }
    if (!pass.hasNext()) {
      leavingBytes = passBytes;
    }
  }

  private boolean isToLeave(CacheFile file, boolean isResident, Set<CacheFile> cold, long now) {
    FileFacts facts = FileFacts.of(file);
    Long since = facts.absentSince;
    List<OpenStoreFile> stores = isResident ? open.of(file) : List.of();
    boolean isAbsent = isResident && stores.isEmpty() && isAbsent(file);
    facts.absentSince = isAbsent ? Long.valueOf(since == null ? now : since) : null;
    if (isAbsent) {
      // Two checks must agree on a dropped file: a store may be about to list a new file.
      return since != null && hasLeft(file, now - since);
    }
    return !stores.isEmpty()
        && (cold.contains(file)
            || stores.stream().allMatch(store -> store.stage() == Stage.COMPACTED));
  }

  /** Whether no store reads or writes a file. No store lists MOB files, so their table decides. */
  private boolean isAbsent(CacheFile file) {
    if (StoreFileNames.isMob(file.name())) {
      String table = known.owner(file).table();
      return table != null && !open.hasTable(table);
    }
    return !compactions.isOutput(file);
  }

  /** Whether an absent file's regions have given it up, or are unlikely to come back. */
  private boolean hasLeft(CacheFile file, long absentNanos) {
    Predicate<String> gaveUp =
        region -> open.isOpen(region) || closedRegions.isServedNowhere(region);
    // A region may have opened since it was asked for the file.
    return absentNanos >= GRACE.toNanos()
        || (!StoreFileNames.isMob(file.name())
            && known.isGivenUp(file, gaveUp)
            && open.of(file).isEmpty());
  }
}
