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
package dev.terrace.hbase;

import dev.terrace.api.FileUsage;
import dev.terrace.tiered.TieredCache;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Which regions the cached files belong to, and which files were cached as a whole. Thread-safe.
 *
 * <p>Nothing is written down when a block leaves: what is resident is looked up when somebody asks.
 */
final class CachedFiles {

  private final TieredCache<?> tiers;
  private final Map<String, String> regionByFile = new ConcurrentHashMap<>();
  private final Map<String, Completion> completions = new ConcurrentHashMap<>();
  private final Map<String, String> tableByRegion = new ConcurrentHashMap<>();
  private final Memo<Map<String, Long>> bytesByRegion;

  CachedFiles(TieredCache<?> tiers, LongSupplier nanoClock) {
    this.tiers = tiers;
    this.bytesByRegion = new Memo<>(this::sumRegions, nanoClock);
  }

  /** Notes, if the key tells, which region a file is read for. */
  void cached(String file, BlockCacheKey key) {
    // A file belongs to one region for as long as it lives, but for one that split: then it is read
    // for its daughters, and counts for the one that cached from it last.
    if (!regionByFile.containsKey(file) || StoreFileNames.isReference(key.getHfileName())) {
      String region = KeyRegions.of(key);
      if (region != null) {
        regionByFile.put(file, region);
        noteTable(region, KeyRegions.path(key));
      }
    }
  }

  private void noteTable(String region, Path storeFile) {
    String table = tableByRegion.containsKey(region) ? null : KeyRegions.table(storeFile);
    if (table != null) {
      tableByRegion.put(region, table);
    }
  }

  /**
   * Notes that HBase went through a whole file to have it cached.
   *
   * @param storeFile where the file, or the reference to it, lies
   * @param blocks how many blocks there are before {@code endOffset}
   * @param endOffset where the part ends that HBase went through
   */
  void completed(Path storeFile, int blocks, long endOffset) {
    String name = storeFile.getName();
    String file = StoreFileNames.physical(name);
    String region = KeyRegions.of(storeFile);
    if (region != null) {
      regionByFile.put(file, region);
      noteTable(region, storeFile);
    }
    completions.put(name, new Completion(file, region, blocks, endOffset));
  }

  /** Forgets a file, or a reference to one, that is gone. */
  void evicted(String name) {
    completions.remove(name);
    regionByFile.remove(name);
  }

  /** The files that are cached as a whole now, each with its region and the bytes of it. */
  Map<String, Pair<String, Long>> fullyCached() {
    Map<String, Pair<String, Long>> files = new HashMap<>();
    completions.forEach(
        (name, completion) -> {
          FileUsage usage = tiers.usage(completion.file);
          if (usage.blocks() == 0) {
            completions.remove(name, completion);
          } else if (isComplete(completion, usage)) {
            files.put(name, new Pair<>(completion.region, completion.endOffset));
          }
        });
    return files;
  }

  private boolean isComplete(Completion completion, FileUsage usage) {
    // The root index starts where the completed part ends. HBase caches it when it writes a file.
    int beyond = tiers.contains(completion.file, completion.endOffset) ? 1 : 0;
    return usage.blocks() - beyond >= completion.blocks;
  }

  /** Resident bytes by region; files of unknown region are left out. Does not change. */
  Map<String, Long> regions() {
    return bytesByRegion.get();
  }

  private Map<String, Long> sumRegions() {
    Map<String, Long> bytes = new HashMap<>();
    for (Iterator<FileUsage> files = tiers.files(); files.hasNext(); ) {
      FileUsage usage = files.next();
      String region = regionByFile.get(usage.file());
      if (region != null) {
        bytes.merge(region, usage.payloadBytes(), Long::sum);
      }
    }
    forgetEmptyFiles();
    return Map.copyOf(bytes);
  }

  /** Files whose blocks all left one by one; a block cached meanwhile brings its file back. */
  private void forgetEmptyFiles() {
    regionByFile.keySet().removeIf(file -> tiers.usage(file).blocks() == 0);
    tableByRegion.keySet().retainAll(Set.copyOf(regionByFile.values()));
  }

  /** What each tier holds, by the tier's name and the file. */
  Map<String, Map<String, Long>> filesByTier() {
    return byTier(file -> file);
  }

  /** The same by encoded region name; files of unknown region are left out. */
  Map<String, Map<String, Long>> regionsByTier() {
    return byTier(regionByFile::get);
  }

  /** The same by table, with its namespace; files of unknown table are left out. */
  Map<String, Map<String, Long>> tablesByTier() {
    return byTier(
        file -> {
          String region = regionByFile.get(file);
          return region == null ? null : tableByRegion.get(region);
        });
  }

  private Map<String, Map<String, Long>> byTier(UnaryOperator<String> groupOfFile) {
    Map<String, Map<String, Long>> tierBytes = new LinkedHashMap<>();
    tiers
        .filesByTier()
        .forEach(
            (tier, files) -> {
              Map<String, Long> bytes = new TreeMap<>();
              files.forEachRemaining(
                  usage -> {
                    String group = groupOfFile.apply(usage.file());
                    if (group != null) {
                      bytes.merge(group, usage.payloadBytes(), Long::sum);
                    }
                  });
              tierBytes.put(tier, bytes);
            });
    return tierBytes;
  }

  /** Resident bytes by file. */
  Map<String, Long> files() {
    Map<String, Long> bytes = new HashMap<>();
    tiers.files().forEachRemaining(usage -> bytes.put(usage.file(), usage.payloadBytes()));
    return bytes;
  }

  private record Completion(String file, String region, int blocks, long endOffset) {}
}
