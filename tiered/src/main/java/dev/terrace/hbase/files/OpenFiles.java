// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The files that the region server's stores have, under the names of the files that contain their
 * blocks. Callers share one scan of the stores, which is reused for up to 50 times its own
 * duration. Thread-safe.
 */
final class OpenFiles {

  /** The result of one walk. Immutable. */
  static final class Found {

    private final Map<String, List<OpenStoreFile>> byName = new HashMap<>();
    private final Set<String> openRegions = new HashSet<>();
    private final Set<String> tables = new HashSet<>();

    private Found(Stream<OnlineRegion> regions) {
      regions.forEach(
          region -> {
            if (region.isOpen()) {
              openRegions.add(region.name());
            }
            region.files().forEach(this::add);
          });
    }

    private void add(OpenStoreFile file) {
      byName.computeIfAbsent(file.name(), name -> new ArrayList<>(1)).add(file);
      tables.add(file.owner().table());
    }

    /** The stores that have a file; none if no store has it. */
    List<OpenStoreFile> of(String file) {
      return byName.getOrDefault(file, List.of());
    }

    /** Whether a region is open, so that the walk has all files that it reads. */
    boolean isOpen(String region) {
      return openRegions.contains(region);
    }

    /** Whether a region server's store has a file of a table. */
    boolean hasTable(String table) {
      return tables.contains(table);
    }

    Collection<List<OpenStoreFile>> all() {
      return byName.values();
    }
  }

  private final Supplier<Stream<OnlineRegion>> regions;
  private final Memo<Found> found;

  /**
   * Has not walked yet.
   *
   * @param regions the region server's regions; none if the server is not known
   * @param nanoClock like {@link System#nanoTime}
   */
  OpenFiles(Supplier<Stream<OnlineRegion>> regions, LongSupplier nanoClock) {
    this.regions = regions;
    this.found = new Memo<>(this::walk, nanoClock);
  }

  /** Always walks. */
  Found walk() {
    try (Stream<OnlineRegion> all = regions.get()) {
      return new Found(all);
    }
  }

  /** The last walk, or a new one if it is due. */
  Found now() {
    return found.get();
  }

  /** The stores that had a file at the last walk. Never walks. */
  List<OpenStoreFile> lately(String file) {
    Found last = found.last();
    return last == null ? List.of() : last.of(file);
  }

  /** Whether a region was open at the last walk. Never walks. */
  boolean isOpenLately(String region) {
    Found last = found.last();
    return last != null && last.isOpen(region);
  }

  /** The stores that have a file. Walks if the last walk found none, and a new one is due. */
  List<OpenStoreFile> of(String file) {
    List<OpenStoreFile> lately = lately(file);
    return lately.isEmpty() ? now().of(file) : lately;
  }
}
