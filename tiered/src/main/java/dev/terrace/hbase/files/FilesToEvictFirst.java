// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import dev.terrace.region.files.FileRules;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Decides which cached files leave first: a tier that needs room evicts their blocks before all
 * others, and counts them as free room until then. Tiers below neither take nor rewrite such
 * blocks. A file leaves first in four cases: HBase calls it cold; all its stores have compacted it;
 * the open regions that had it have dropped it; its region has moved, so that no store here has had
 * it for some minutes. Once a store reads it again, the next check makes it an ordinary file.
 *
 * <p>In a file that a compaction reads, blocks that the compaction has passed are treated likewise.
 *
 * <p>HBase evicts most files that it deletes, but not the output of a failed compaction, which
 * leaves first. Thread-safe.
 */
public final class FilesToEvictFirst implements FileRules.ExpiringBlocks, FileListener {

  /** By then a region that moves or restarts is usually back, if it comes back at all. */
  static final Duration GRACE = Duration.ofMinutes(5);

  private final FileCatalog known;
  private final Supplier<Set<String>> coldFiles;
  private final LongSupplier nanoClock;
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();

  /** By thread. An ended compaction stays until its thread begins another. */
  private final Map<Thread, Compaction> compactions = new ConcurrentHashMap<>();

  /** When each file without a store was first found so, by name. */
  private Map<String, Long> absentSince = Map.of();

  /** The files that the tiers were told to evict first. */
  private Set<String> told = Set.of();

  /** What a compaction has read and written. Thread-safe. */
  private static final class Compaction {

    final Map<String, Part> read = new ConcurrentHashMap<>();
    final Set<String> written = ConcurrentHashMap.newKeySet();

    boolean isDoneWith(String file, long offset) {
      Part part = read.get(file);
      return part != null && part.begin <= offset && offset < part.end;
    }
  }

  /** The part of a file that a compaction has read, up to its current block. */
  private record Part(long begin, long end) {

    /** An offset that goes back begins the other half of a split file. */
    Part readUpTo(long offset) {
      return offset < begin ? new Part(offset, offset) : new Part(begin, offset);
    }
  }

  /**
   * Knows no file yet.
   *
   * @param coldFiles the names of the store files whose data HBase calls cold
   */
  public FilesToEvictFirst(
      FileCatalog known, Supplier<Set<String>> coldFiles, LongSupplier nanoClock) {
    this.known = known;
    this.coldFiles = coldFiles;
    this.nanoClock = nanoClock;
  }

  /** A view of the files that leave first. */
  public Set<String> leavingFirst() {
    return Collections.unmodifiableSet(leaving);
  }

  @Override
  public boolean isLeaving(String file, long offset) {
    return leaving.contains(file)
        || (compactions.values().stream().anyMatch(each -> each.isDoneWith(file, offset))
            // Other stores continue to read it.
            && !known.isShared(file));
  }

  /** A region has opened here: its files no longer leave first. */
  public void opened(HRegion region) {
    OnlineRegion.of(region).files().forEach(file -> leaving.remove(file.name()));
  }

  /** The calling thread begins a compaction: the previous one has ended. */
  public void compactionBegins() {
    compactions.remove(Thread.currentThread());
  }

  /** The calling thread compacts a file and reads a block: it has passed the blocks before. */
  public void compactionReads(String file, long offset) {
    if (!known.isShared(file)) {
      compaction().read.merge(file, new Part(offset, offset), (part, now) -> part.readUpTo(offset));
    }
  }

  /** The calling thread's compaction writes a file, for the store whose files it reads. */
  public void compactionWrites(String file) {
    Compaction compaction = compaction();
    compaction.written.add(file);
    compaction.read.keySet().forEach(input -> known.rewritten(input, file));
  }

  private Compaction compaction() {
    return compactions.computeIfAbsent(Thread.currentThread(), thread -> new Compaction());
  }

  /** A restored store may read the file again. */
  @Override
  public void givenUp(String file) {
    compactions.values().forEach(each -> each.read.remove(file));
  }

  @Override
  public void evicting(String name) {
    givenUp(name);
    leaving.remove(name);
  }

  /** Examines each cached file, and updates the tiers. Call every few seconds. */
  public synchronized void look(TieredCache<?> tiers) {
    OpenFiles.Found found = compactions.isEmpty() ? known.openNow() : endCompactions();
    Set<String> cold =
        coldFiles.get().stream().map(StoreFileNames::physical).collect(Collectors.toSet());
    long now = nanoClock.getAsLong();
    Map<String, Long> absent = new HashMap<>();
    Set<String> next = new HashSet<>();
    for (String file : tiers.fileNames()) {
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
    next.stream().filter(file -> !told.contains(file)).forEach(f -> tiers.evictFirst(f, true));
    told.stream().filter(file -> !next.contains(file)).forEach(f -> tiers.evictFirst(f, false));
    told = next;
    // Computing the bytes of regions also forgets files, but not every HBase version asks for them.
    known.retain(tiers::isResident);
  }

  /** Forgets ended compactions if none runs. Their output is in a store unless they failed. */
  private OpenFiles.Found endCompactions() {
    Map<Thread, Compaction> begun = new HashMap<>(compactions);
    // Walk after the copy: a compaction that begins now is not in it.
    OpenFiles.Found found = known.walk();
    if (!found.isAnyCompacting()) {
      begun.forEach(compactions::remove);
    }
    return found;
  }

  /** Whether no store reads or writes a file. No store lists MOB files, so their table decides. */
  private boolean isAbsent(String file, OpenFiles.Found found) {
    if (StoreFileNames.isMob(file)) {
      String table = known.table(file);
      return table != null && !found.hasTable(table);
    }
    return compactions.values().stream().noneMatch(each -> each.written.contains(file));
  }

  /** Two checks must agree on a dropped file: a store may be about to list a new file. */
  private boolean hasBeenAbsent(
      String file, OpenFiles.Found found, long now, Map<String, Long> absent) {
    Long since = absentSince.get(file);
    absent.put(file, since == null ? now : since);
    boolean isGivenUp = !StoreFileNames.isMob(file) && known.isGivenUp(file, found);
    return since != null && (isGivenUp || now - since >= GRACE.toNanos());
  }
}
