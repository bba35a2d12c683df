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

  /** Where a file lies; the table and the family are null if they are unknown. */
  private record Home(String region, String table, String family) {

    /**
     * The home of a file in a region, as far as its path tells.
     *
     * @param storeFile its path; null if it is unknown
     */
    static Home in(String region, Path storeFile) {
      String table = KeyRegions.table(storeFile);
      return new Home(region, table, table == null ? null : storeFile.getParent().getName());
    }

    /** This home, with its unknown parts taken from another one, which may be null. */
    Home or(Home other) {
      return other == null
          ? this
          : new Home(
              region, table == null ? other.table : table, family == null ? other.family : family);
    }
  }

  private final Map<String, Home> homes = new ConcurrentHashMap<>();
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
    Home home = homes.get(file);
    if (home == null || home.family == null || StoreFileNames.isReference(key.getHfileName())) {
      noteHome(file, KeyRegions.of(key), KeyRegions.path(key));
    }
  }

  /** Records where a file lies now. The region and the path may be null. */
  private void noteHome(String file, String region, Path storeFile) {
    if (region != null) {
      homes.merge(file, Home.in(region, storeFile), (before, now) -> now.or(before));
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
    noteHome(file, region, storeFile);
    completions.put(name, new Completion(file, region, extent));
  }

  /** Forgets a deleted file or reference. */
  public void evicted(String name) {
    completions.remove(name);
    homes.remove(name);
  }

  /** Records the regions of the region server's open files: some keys lack them. */
  public void learnOpenFiles() {
    try (Stream<Path> paths = openFiles.get()) {
      paths.forEach(
          path -> {
            String region = KeyRegions.of(path);
            if (region != null) {
              String file = StoreFileNames.physical(path.getName());
              homes.merge(file, Home.in(region, path), Home::or);
            }
          });
    }
  }

  /** The encoded name of a file's region; null if it is unknown. */
  public String region(String file) {
    Home home = homes.get(file);
    return home == null ? null : home.region;
  }

  /** The name of a file's table, with its namespace; null if it is unknown. */
  public String table(String file) {
    Home home = homes.get(file);
    return home == null ? null : home.table;
  }

  /** The name of a file's column family; null if it is unknown. */
  public String family(String file) {
    Home home = homes.get(file);
    return home == null ? null : home.family;
  }

  /** A file's table and family; null if the table is unknown. */
  public Place place(String file) {
    Home home = homes.get(file);
    return home == null || home.table == null ? null : new Place(home.table, home.family);
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
    homes.keySet().removeIf(file -> !isResident.test(file));
  }

  @Override
  public String originOf(String file) {
    if (!homes.containsKey(file)) {
      learnOpenFiles();
    }
    Home home = homes.get(file);
    return home == null ? "" : new FileOrigin(home.region, home.table, extent(file)).text();
  }

  @Override
  public void recovered(String file, String text) {
    FileOrigin origin = FileOrigin.parse(text);
    if (origin == null) {
      return;
    }
    Home home = new Home(origin.region(), origin.table(), null);
    homes.merge(file, home, Home::or);
    if (origin.extent() != null) {
      completions.putIfAbsent(file, new Completion(file, origin.region(), origin.extent()));
    }
  }
}
