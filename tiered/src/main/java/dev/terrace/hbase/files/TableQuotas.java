// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import dev.terrace.api.Quota;
import dev.terrace.hbase.settings.NestedShares;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quotas of namespaces, tables and column families in the tiers. A file counts for the nearest
 * one that covers it, and for those that this one is a part of. If several tables read it, as
 * clones do, it counts for the table that owns it, if the region server has that open. Thread-safe.
 */
public final class TableQuotas {

  private static final Logger LOG = LoggerFactory.getLogger(TableQuotas.class);

  private final TieredCache<?> tiers;
  private final FileCatalog known;

  /** The names that {@link #warnOfUnknown} has checked. */
  private final Set<String> checked = new HashSet<>();

  /** By tier, then by name; see {@link NestedShares}. */
  private volatile Map<String, Map<String, Quota>> quotas = Map.of();

  /** Starts without quotas. */
  public TableQuotas(TieredCache<?> tiers, FileCatalog known) {
    this.tiers = tiers;
    this.known = known;
    tiers.files().whenNew(this::assign);
  }

  /** Replaces all quotas, and applies them to the cached blocks. */
  public synchronized void apply(TerraceSettings settings) {
    Map<String, Map<String, Quota>> next = new LinkedHashMap<>();
    for (String tier : tiers.stats().keySet()) {
      next.put(tier, settings.quotas(tier));
    }
    boolean hadAny = hasAny();
    quotas = next;
    if (hadAny || hasAny()) {
      tiers.files().all().forEach(this::assign);
    }
  }

  /** Applies the quotas to files whose table has become known, or another. */
  public void learn() {
    for (CacheFile file = known.pollMoved(); file != null; file = known.pollMoved()) {
      assign(file);
    }
  }

  private boolean hasAny() {
    return quotas.values().stream().anyMatch(byName -> !byName.isEmpty());
  }

  private Set<String> names() {
    return quotas.values().stream()
        .flatMap(byName -> byName.keySet().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Assigns again if another thread, which saw more, may have been quicker. */
  private void assign(CacheFile file) {
    Map<String, Map<String, Quota>> now;
    Owner.Place place;
    do {
      now = quotas;
      place = place(file);
      set(file, now, place);
    } while (now != quotas || !Objects.equals(place, place(file)));
  }

  private Owner.Place place(CacheFile file) {
    return hasAny() ? known.owner(file).place() : null;
  }

  private void set(CacheFile file, Map<String, Map<String, Quota>> now, Owner.Place place) {
    tiers.setQuotas(
        file,
        tier -> {
          Map<String, Quota> byName = now.getOrDefault(tier, Map.of());
          return byName.isEmpty() || place == null
              ? Quota.NONE
              : NestedShares.quota(byName, place.table(), place.family());
        });
  }

  /**
   * The figures of each tier's quotas, by tier, then by name: the guaranteed bytes ({@code min}),
   * the limit ({@code max}), the usage ({@code bytes}), the hits ({@code hits}), and the blocks
   * that were not taken because of it ({@code refused}).
   *
   * @param lookups hits by tier, by {@code "namespace:table family"}
   */
  public Map<String, Map<String, Map<String, Long>>> figures(
      Map<String, Map<String, Long>> lookups) {
    Map<String, Map<String, Map<String, Long>>> figures = new LinkedHashMap<>();
    quotas.forEach(
        (tier, byName) -> {
          long capacityBytes = tiers.stats().get(tier).space().capacityBytes();
          Map<String, Map<String, Long>> ofTier = new TreeMap<>();
          byName.forEach((name, quota) -> ofTier.put(name, figures(quota, capacityBytes)));
          lookups.forEach(
              (family, of) ->
                  NestedShares.covering(family.replace(' ', '/')).stream()
                      .filter(ofTier::containsKey)
                      .forEach(
                          name ->
                              ofTier
                                  .get(name)
                                  .merge("hits", of.getOrDefault(tier, 0L), Long::sum)));
          figures.put(tier, ofTier);
        });
    return figures;
  }

  private static Map<String, Long> figures(Quota quota, long capacityBytes) {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("min", (long) (quota.min() * capacityBytes));
    figures.put("max", (long) (quota.max() * capacityBytes));
    figures.put("bytes", quota.bytes());
    figures.put("hits", 0L);
    figures.put("refused", quota.refused());
    return figures;
  }

  /**
   * Warns once of each namespace, table or family that has a share and does not exist: its name may
   * be mistyped. Reads the descriptors of new ones, which may wait for HBase's store. Called by one
   * thread.
   *
   * @throws UncheckedIOException if they cannot be read now; the next call tries again
   */
  public void warnOfUnknown(TableDescriptors tables) {
    Set<String> names = names();
    checked.retainAll(names);
    for (String name : names) {
      if (!name.equals(NestedShares.EACH_OTHER)
          && !checked.contains(name)
          && !exists(name, tables)) {
        LOG.warn(
            "hbase.terrace.tables.min or .max names {}, which does not exist: the share has no"
                + " effect until it is created; check the spelling",
            name);
      }
      checked.add(name);
    }
  }

  private static boolean exists(String name, TableDescriptors tables) {
    int slash = name.indexOf('/');
    String tableName = slash < 0 ? name : name.substring(0, slash);
    try {
      if (NestedShares.isNamespace(name)) {
        return !tables.getByNamespace(name.substring(0, name.indexOf(':'))).isEmpty();
      }
      TableDescriptor table = tables.get(TableName.valueOf(tableName));
      return table != null
          && (slash < 0 || table.hasColumnFamily(Bytes.toBytes(name.substring(slash + 1))));
    } catch (IllegalArgumentException e) {
      LOG.debug("{} is not a table name", tableName, e);
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
