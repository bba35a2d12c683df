// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.CacheFile;
import dev.terrace.api.FileUsage;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.FileFacts.Completion;
import dev.terrace.hbase.files.FileOrigin.Extent;
import dev.terrace.hbase.files.Memo;
import dev.terrace.hbase.files.Owner;
import dev.terrace.tiered.TieredCache;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Cached bytes by file, region and table. Thread-safe.
 *
 * <p>Evictions need no bookkeeping here: residency is looked up on demand.
 */
public final class CachedFiles {

  private final TieredCache<?> tiers;
  private final FileCatalog known;
  private final Memo<Map<String, Long>> bytesByRegion;
  private final Memo<Map<String, Map<String, Long>>> regionsByTier;
  private final Memo<Map<String, Map<String, Long>>> tablesByTier;
  private final Memo<Map<String, Map<String, Long>>> filesByTier;

  public CachedFiles(TieredCache<?> tiers, FileCatalog known, LongSupplier nanoClock) {
    this.tiers = tiers;
    this.known = known;
    this.bytesByRegion = new Memo<>(this::sumRegions, nanoClock);
    this.regionsByTier = new Memo<>(() -> byTier(this::addToRegions), nanoClock);
    this.tablesByTier = new Memo<>(() -> byTier(this::addToTables), nanoClock);
    this.filesByTier =
        new Memo<>(
            () -> byTier((bytes, usage) -> bytes.put(usage.file().name(), usage.payloadBytes())),
            nanoClock);
  }

  /**
   * The fully cached files, each with its region and its cached bytes. Like that of HBase's own
   * cache, the view follows the contents of the cache.
   */
  public Map<String, Pair<String, Long>> fullyCached() {
    return new AbstractMap<>() {
      @Override
      public Set<Entry<String, Pair<String, Long>>> entrySet() {
        Map<String, Pair<String, Long>> files = new HashMap<>();
        known
            .completions()
            .filter(completion -> isComplete(completion))
            .forEach(completion -> files.put(completion.name(), pair(completion)));
        return Collections.unmodifiableSet(files.entrySet());
      }

      @Override
      public Pair<String, Long> get(Object name) {
        Completion completion = name instanceof String file ? known.completion(file) : null;
        return completion != null && isComplete(completion) ? pair(completion) : null;
      }

      @Override
      public boolean containsKey(Object name) {
        return get(name) != null;
      }
    };
  }

  private Pair<String, Long> pair(Completion completion) {
    return new Pair<>(regionOf(completion), completion.extent().endOffset());
  }

  /** A completed prefetch of a link has the path of the link's target, so look the region up. */
  private String regionOf(Completion completion) {
    Map<String, Double> regions = known.regions(completion.file());
    return regions.isEmpty() || regions.containsKey(completion.region())
        ? completion.region()
        : regions.keySet().iterator().next();
  }

  private boolean isComplete(Completion completion) {
    CacheFile file = completion.file();
    Extent extent = completion.extent();
    // The root index follows the completed part. HBase caches it when it writes a file.
    int beyond = tiers.contains(file, extent.endOffset()) ? 1 : 0;
    long blocks = tiers.usage(file).blocks();
    return blocks > 0 && blocks - beyond >= extent.blocks();
  }

  /** Resident bytes by region, without files of unknown region. Immutable. */
  public Map<String, Long> regions() {
    return bytesByRegion.get();
  }

  private Map<String, Long> sumRegions() {
    known.learnOpenFiles();
    Map<String, Long> bytes = new HashMap<>();
    tiers.usages().forEachRemaining(usage -> addToRegions(bytes, usage));
    return Map.copyOf(bytes);
  }

  private void addToRegions(Map<String, Long> bytes, FileUsage usage) {
    known
        .regions(usage.file())
        .forEach(
            (region, part) ->
                bytes.merge(region, Math.round(part * usage.payloadBytes()), Long::sum));
  }

  /**
   * The bytes of each tier, by tier name and encoded region name, without files of unknown region.
   * Immutable.
   */
  Map<String, Map<String, Long>> regionsByTier() {
    return regionsByTier.get();
  }

  /** The same by table, with its namespace; files of unknown table are left out. */
  Map<String, Map<String, Long>> tablesByTier() {
    return tablesByTier.get();
  }

  private void addToTables(Map<String, Long> bytes, FileUsage usage) {
    known.places(usage.file()).stream()
        .map(Owner.Place::table)
        .distinct()
        .forEach(table -> bytes.merge(table, usage.payloadBytes(), Long::sum));
  }

  private Map<String, Map<String, Long>> byTier(BiConsumer<Map<String, Long>, FileUsage> add) {
    known.learnOpenFiles();
    return tiers.byTier(
        tier -> {
          Map<String, Long> bytes = new HashMap<>();
          tier.files().forEachRemaining(usage -> add.accept(bytes, usage));
          return bytes;
        });
  }

  /** The same by file. */
  Map<String, Map<String, Long>> filesByTier() {
    return filesByTier.get();
  }
}
