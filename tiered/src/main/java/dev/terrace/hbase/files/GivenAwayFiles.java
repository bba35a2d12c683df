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

import dev.terrace.region.files.FileRules;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * The cached files of regions that this server gave away: for some minutes none of its stores has
 * had them. Their blocks leave a tier before all others when it needs room, and no tier writes
 * them. Files of MOB cells, which no store lists, are not among them. Thread-safe.
 */
public final class GivenAwayFiles implements FileRules.LeavingBlocks {

  /** A region that opens here again, such as after a restart, mostly does so in this time. */
  static final Duration AFTER = Duration.ofMinutes(5);

  private final KnownFiles known;
  private final LongSupplier nanoClock;
  private final Set<String> files = ConcurrentHashMap.newKeySet();

  /** Since when no store has them, by name. */
  private Map<String, Long> absent = new HashMap<>();

  /** What the tiers know. */
  private Set<String> leaving = Set.of();

  /** Knows none yet. */
  public GivenAwayFiles(KnownFiles known, LongSupplier nanoClock) {
    this.known = known;
    this.nanoClock = nanoClock;
  }

  /** Their names; a view. */
  public Set<String> names() {
    return Collections.unmodifiableSet(files);
  }

  @Override
  public boolean isLeaving(String file, long offset) {
    return files.contains(file);
  }

  /** A region is open here: its files are as good as others. */
  public void opened(HRegion region) {
    OpenRegion.of(region).files().forEach(file -> files.remove(file.name()));
  }

  /**
   * Looks at each cached file, and tells the tiers. To be called every few seconds, by one thread.
   */
  public void look(TieredCache<?> tiers) {
    OpenFiles.Found found = known.openNow();
    long now = nanoClock.getAsLong();
    Map<String, Long> next = new HashMap<>();
    Set<String> away = new HashSet<>();
    for (String file : tiers.fileNames()) {
      if (found.of(file).isEmpty()
          && !StoreFileNames.isMob(file)
          && !known.mayBeWritten(file, found)) {
        long since = absent.getOrDefault(file, now);
        next.put(file, since);
        if (now - since >= AFTER.toNanos()) {
          away.add(file);
        }
      }
    }
    absent = next;
    files.retainAll(away);
    files.addAll(away);
    away.stream().filter(file -> !leaving.contains(file)).forEach(f -> tiers.leaveFirst(f, true));
    leaving.stream().filter(file -> !away.contains(file)).forEach(f -> tiers.leaveFirst(f, false));
    leaving = away;
  }
}
