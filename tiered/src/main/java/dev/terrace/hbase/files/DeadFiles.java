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
package dev.terrace.hbase.files;

import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evicts the blocks of files that no store reads any more, and that HBase did not evict: files of
 * merged regions, the output of compactions that failed, files of clones that were dropped. A file
 * is dead if each store that is known to have had it gave it up: its region is open and does not
 * have the file, or the region's folder does not. A file of which nothing is known, as the log does
 * not tell it of blocks that were written last before a crash, gets some minutes in which its
 * region may open. One thread calls {@link #sweep}.
 */
public final class DeadFiles {

  /** A file is between two lists of HBase's for a moment, or opened before its region is. */
  static final Duration GRACE = Duration.ofSeconds(20);

  /** The regions that read a file of one that split or merged open in this time. */
  static final Duration GRACE_OF_PARENTS = Duration.ofMinutes(2);

  /** The regions of a server that crashed open here again in this time, or elsewhere. */
  static final Duration GRACE_OF_UNKNOWN = Duration.ofMinutes(3);

  private static final Logger LOG = LoggerFactory.getLogger(DeadFiles.class);

  /** The files in the folders of regions that the region server does not have. */
  public interface Folders {

    /**
     * The names of the files that a region's folder leads to; none if there is no such folder.
     * Never waits.
     *
     * @param isMob whether its files of MOB cells are asked for
     * @return empty if it is not known now
     */
    Optional<Set<String>> files(Owner region, boolean isMob);
  }

  private final TieredCache<?> tiers;
  private final KnownFiles known;
  private final Folders folders;
  private final Consumer<String> evict;
  private final LongSupplier nanoClock;

  /** Since when no store has them, by name. */
  private Map<String, Long> suspects = new HashMap<>();

  /**
   * Has not swept yet.
   *
   * @param evict evicts a file that is dead
   */
  public DeadFiles(
      TieredCache<?> tiers,
      KnownFiles known,
      Folders folders,
      Consumer<String> evict,
      LongSupplier nanoClock) {
    this.tiers = tiers;
    this.known = known;
    this.folders = folders;
    this.evict = evict;
    this.nanoClock = nanoClock;
  }

  /** Looks at each cached file. To be called every few seconds. */
  public void sweep() {
    OpenFiles.Found found = known.openNow();
    Map<String, Long> next = new HashMap<>();
    List<String> dead = new ArrayList<>();
    long now = nanoClock.getAsLong();
    for (String file : tiers.fileNames()) {
      List<OpenStoreFile> stores = found.of(file);
      if (!stores.isEmpty()) {
        known.listed(file, stores, found);
        continue;
      }
      Optional<List<Owner>> owners = known.lastOwners(file);
      boolean isSuspect =
          owners.isEmpty()
              ? found.isAnyOpen() && !StoreFileNames.isMob(file)
              : areDone(file, owners.get(), found);
      if (!isSuspect) {
        continue;
      }
      long since = suspects.getOrDefault(file, now);
      if (now - since >= grace(owners).toNanos()) {
        dead.add(file);
      } else {
        next.put(file, since);
      }
    }
    suspects = next;
    dead.forEach(evict);
    // Not every version of HBase asks for the bytes of regions, which forgets files, too.
    known.retain(tiers::isResident);
    if (!dead.isEmpty()) {
      LOG.info(
          "Evicted what HBase left of files that no store reads any more: files={}", dead.size());
    }
  }

  private static Duration grace(Optional<List<Owner>> owners) {
    return owners.map(known -> known.isEmpty() ? GRACE_OF_PARENTS : GRACE).orElse(GRACE_OF_UNKNOWN);
  }

  private boolean areDone(String file, List<Owner> owners, OpenFiles.Found found) {
    // Asks for the folders of all of them.
    return owners.stream().filter(owner -> !hasGivenUp(file, owner, found)).count() == 0;
  }

  private boolean hasGivenUp(String file, Owner owner, OpenFiles.Found found) {
    boolean isMob = StoreFileNames.isMob(file);
    if (!isMob && found.isOpen(owner.region())) {
      return !known.mayBeWritten(file, found);
    }
    return folders.files(owner, isMob).map(files -> !files.contains(file)).orElse(false);
  }
}
