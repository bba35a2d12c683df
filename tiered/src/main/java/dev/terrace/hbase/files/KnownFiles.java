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

import dev.terrace.hbase.files.FileOrigin.Extent;
import dev.terrace.region.files.FileOrigins;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/**
 * Which region, table and column family files belong to, and which files were cached as a whole:
 * learned from keys, from prefetches, from the store files that the region server has open, and
 * after a restart from the log. Thread-safe.
 */
public final class KnownFiles implements FileOrigins {

  /**
   * Where a file belongs.
   *
   * @param table the table with its namespace
   * @param family the column family; null if it is unknown
   */
  public record Place(String table, String family) {}

  /** A file, or a reference to a part of one, that was cached as a whole. */
  public record Completion(String file, String region, Extent extent) {}

  private final Map<String, String> regionByFile = new ConcurrentHashMap<>();
  private final Map<String, String> familyByFile = new ConcurrentHashMap<>();
  private final Map<String, String> tableByRegion = new ConcurrentHashMap<>();
  private final Map<String, Completion> completions = new ConcurrentHashMap<>();
  private final Supplier<Stream<Path>> openFiles;

  /**
   * Knows nothing yet.
   *
   * @param openFiles the paths of the store files that the region server has open
   */
  public KnownFiles(Supplier<Stream<Path>> openFiles) {
    this.openFiles = openFiles;
  }

  /** Records the region that a file is read for, and its family, if the key has them. */
  public void read(String file, BlockCacheKey key) {
    // A file belongs to one region for as long as it lives, but for one that split: then it is read
    // for its daughters, and counts for the one that cached from it last.
    if (!regionByFile.containsKey(file)
        || !familyByFile.containsKey(file)
        || StoreFileNames.isReference(key.getHfileName())) {
      String region = KeyRegions.of(key);
      if (region != null) {
        regionByFile.put(file, region);
        notePlace(file, region, KeyRegions.path(key));
      }
    }
  }

  /** Records what the path of a store file tells besides its region; it may be null. */
  private void notePlace(String file, String region, Path storeFile) {
    String table = KeyRegions.table(storeFile);
    if (table != null) {
      tableByRegion.putIfAbsent(region, table);
      familyByFile.put(file, storeFile.getParent().getName());
    }
  }

  /**
   * Records a completed prefetch.
   *
   * @param storeFile where the file, or the reference to it, lies
   */
  public void completed(Path storeFile, Extent extent) {
    String name = storeFile.getName();
    String file = StoreFileNames.physical(name);
    String region = KeyRegions.of(storeFile);
    if (region != null) {
      regionByFile.put(file, region);
      notePlace(file, region, storeFile);
    }
    completions.put(name, new Completion(file, region, extent));
  }

  /** Forgets a deleted file or reference. */
  public void evicted(String name) {
    completions.remove(name);
    regionByFile.remove(name);
    familyByFile.remove(name);
  }

  /** Records the regions of the region server's open files: some keys lack them. */
  public void learnOpenFiles() {
    try (Stream<Path> paths = openFiles.get()) {
      paths.forEach(
          path -> {
            String region = KeyRegions.of(path);
            if (region != null) {
              String file = StoreFileNames.physical(path.getName());
              regionByFile.putIfAbsent(file, region);
              notePlace(file, region, path);
            }
          });
    }
  }

  /** The encoded name of a file's region; null if it is unknown. */
  public String region(String file) {
    return regionByFile.get(file);
  }

  /** The name of a file's table, with its namespace; null if it is unknown. */
  public String table(String file) {
    String region = regionByFile.get(file);
    return region == null ? null : tableByRegion.get(region);
  }

  /** The name of a file's column family; null if it is unknown. */
  public String family(String file) {
    return familyByFile.get(file);
  }

  /** A file's table and family; null if the table is unknown. */
  public Place place(String file) {
    String table = table(file);
    return table == null ? null : new Place(table, family(file));
  }

  /** The extent of a completed prefetch; null if there was none. */
  public Extent extent(String file) {
    Completion completion = completions.get(file);
    return completion == null ? null : completion.extent;
  }

  /** The completed prefetch of a file or reference; null if there was none. */
  public Completion completion(String name) {
    return completions.get(name);
  }

  /** The completed prefetches, by the name of the file or reference. */
  public Map<String, Completion> completions() {
    return new HashMap<>(completions);
  }

  /** Forgets files that are not resident any more. */
  public void retain(Predicate<String> isResident) {
    completions.values().removeIf(completion -> !isResident.test(completion.file));
    regionByFile.keySet().removeIf(file -> !isResident.test(file));
    familyByFile.keySet().retainAll(Set.copyOf(regionByFile.keySet()));
    tableByRegion.keySet().retainAll(Set.copyOf(regionByFile.values()));
  }

  @Override
  public String originOf(String file) {
    if (!regionByFile.containsKey(file)) {
      learnOpenFiles();
    }
    String region = regionByFile.get(file);
    if (region == null) {
      return "";
    }
    return new FileOrigin(region, tableByRegion.get(region), extent(file)).text();
  }

  @Override
  public void recovered(String file, String text) {
    FileOrigin origin = FileOrigin.parse(text);
    if (origin == null) {
      return;
    }
    regionByFile.putIfAbsent(file, origin.region());
    if (origin.table() != null) {
      tableByRegion.putIfAbsent(origin.region(), origin.table());
    }
    if (origin.extent() != null) {
      completions.putIfAbsent(file, new Completion(file, origin.region(), origin.extent()));
    }
  }
}
