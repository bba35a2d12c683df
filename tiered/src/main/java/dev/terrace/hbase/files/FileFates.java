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
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Which cached files leave first: when a tier needs room their blocks go before all others, and
 * until then they count as free room. No tier below takes or rewrites their blocks. A file leaves
 * first if HBase calls it cold, if all stores that have it have compacted it, if the open regions
 * that had it gave it up, or if no store here has had it for some minutes, as its region is
 * elsewhere. The next look makes it a file like others again if a store reads it.
 *
 * <p>Of a file that a compaction reads, the blocks that it is done with are treated so already.
 *
 * <p>HBase evicts most files that it deletes. What a failed compaction wrote is evicted here, once
 * its thread begins another one or none runs any more. Thread-safe.
 */
public final class FileFates implements FileRules.LeavingBlocks, FileObserver {

  /** A region that moves away or restarts is mostly back by then, if it comes back at all. */
  static final Duration GRACE = Duration.ofMinutes(5);

  private final KnownFiles known;
  private final Supplier<Set<String>> coldFiles;
  private final Consumer<String> evict;
  private final LongSupplier nanoClock;
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();

  /** By the thread that runs it. One that has ended stays until its thread begins another. */
  private final Map<Thread, Compaction> compactions = new ConcurrentHashMap<>();

  /** Since when no store has them, by name. */
  private Map<String, Long> absentSince = Map.of();

  /** What the tiers know. */
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

  /** A part of a file that a compaction has read, up to the block that it reads now. */
  private record Part(long begin, long end) {

    /** The other half of a file that was split begins where the offset goes back. */
    Part readUpTo(long offset) {
      return offset < begin ? new Part(offset, offset) : new Part(begin, offset);
    }
  }

  /**
   * Knows no file yet.
   *
   * @param coldFiles the names of the store files whose data HBase calls cold
   * @param evict evicts a file
   */
  public FileFates(
      KnownFiles known,
      Supplier<Set<String>> coldFiles,
      Consumer<String> evict,
      LongSupplier nanoClock) {
    this.known = known;
    this.coldFiles = coldFiles;
    this.evict = evict;
    this.nanoClock = nanoClock;
  }

  /** The files that leave first; a view. */
  public Set<String> leavingFirst() {
    return Collections.unmodifiableSet(leaving);
  }

  @Override
  public boolean isLeaving(String file, long offset) {
    return leaving.contains(file)
        || (compactions.values().stream().anyMatch(each -> each.isDoneWith(file, offset))
            // Other stores go on reading it.
            && !known.isShared(file));
  }

  /** A region is open here: its files are like others. */
  public void opened(HRegion region) {
    OnlineRegion.of(region).files().forEach(file -> leaving.remove(file.name()));
  }

  /** The calling thread begins a compaction. */
  public void compactionBegins() {
    Compaction last = compactions.remove(Thread.currentThread());
    if (last != null && !last.written.isEmpty()) {
      evictUnlisted(last.written, known.walk());
    }
  }

  private void evictUnlisted(Set<String> written, OpenFiles.Found found) {
    written.stream().filter(file -> found.of(file).isEmpty()).forEach(evict);
  }

  /** The calling thread compacts a file and reads a block: it is done with those before. */
  public void compactionReads(String file, long offset) {
    if (!known.isShared(file)) {
      compaction().read.merge(file, new Part(offset, offset), (part, now) -> part.readUpTo(offset));
    }
  }

  /** The calling thread's compaction writes a file. */
  public void compactionWrites(String file) {
    compaction().written.add(file);
  }

  private Compaction compaction() {
    return compactions.computeIfAbsent(Thread.currentThread(), thread -> new Compaction());
  }

  /** A store that is restored may read the file again. */
  @Override
  public void givenUp(String file) {
    compactions.values().forEach(each -> each.read.remove(file));
  }

  @Override
  public void evicting(String name) {
    givenUp(name);
    leaving.remove(name);
  }

  /** Looks at each cached file, and tells the tiers. To be called every few seconds. */
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
        known.listed(file, stores, found);
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
    next.stream().filter(file -> !told.contains(file)).forEach(f -> tiers.leaveFirst(f, true));
    told.stream().filter(file -> !next.contains(file)).forEach(f -> tiers.leaveFirst(f, false));
    told = next;
    // Not every version of HBase asks for the bytes of regions, which forgets files, too.
    known.retain(tiers::isResident);
  }

  /** Forgets the compactions that have ended, if none runs; a store has what a good one wrote. */
  private OpenFiles.Found endCompactions() {
    Map<Thread, Compaction> begun = new HashMap<>(compactions);
    Set<String> written =
        begun.values().stream()
            .flatMap(each -> each.written.stream())
            .collect(Collectors.toUnmodifiableSet());
    // After that: a compaction that begins now is none of them.
    OpenFiles.Found found = known.walk();
    if (!found.isAnyCompacting()) {
      begun.forEach(compactions::remove);
      evictUnlisted(written, found);
    }
    return found;
  }

  /** Whether no store reads or writes a file. None lists files of MOB cells: their table tells. */
  private boolean isAbsent(String file, OpenFiles.Found found) {
    if (StoreFileNames.isMob(file)) {
      String table = known.table(file);
      return table != null && !found.hasTable(table);
    }
    return compactions.values().stream().noneMatch(each -> each.written.contains(file));
  }

  /** Two looks must find it given up: a store may be about to list what it has written. */
  private boolean hasBeenAbsent(
      String file, OpenFiles.Found found, long now, Map<String, Long> absent) {
    Long since = absentSince.get(file);
    absent.put(file, since == null ? now : since);
    boolean isGivenUp = !StoreFileNames.isMob(file) && known.isGivenUp(file, found);
    return since != null && (isGivenUp || now - since >= GRACE.toNanos());
  }
}
