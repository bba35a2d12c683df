// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import dev.terrace.hbase.settings.SiteValues;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The keys of hbase-site.xml that can make Terrace the block cache. */
public final class EntryKeys {

  public static final String REGION_SERVER_CLASS = "hbase.regionserver.impl";
  public static final String COPROCESSOR = "hbase.coprocessor.regionserver.classes";
  public static final String EXTERNAL_CACHE = "hbase.blockcache.external.class";

  /** The share of the heap that HBase's own cache gets. */
  public static final String HEAP_CACHE_SHARE = "hfile.block.cache.size";

  private static final String USE_COPROCESSORS = "hbase.coprocessor.enabled";
  public static final String USE_EXTERNAL = "hbase.blockcache.use.external";

  /** The keys, in the order in which a region server reads them. */
  public static final List<String> ALL = List.of(REGION_SERVER_CLASS, COPROCESSOR, EXTERNAL_CACHE);

  /** The class of Terrace that each key can name. */
  public static final Map<String, String> CLASSES =
      Map.of(
          REGION_SERVER_CLASS, "dev.terrace.hbase.TerraceRegionServer",
          COPROCESSOR, "dev.terrace.hbase.TerraceCoprocessor",
          EXTERNAL_CACHE, "dev.terrace.hbase.TieredBlockCache");

  private EntryKeys() {}

  /** The classes that a key names, unless HBase ignores it. */
  public static List<String> classes(SiteValues site, String key) {
    if (key.equals(COPROCESSOR) && site.get(USE_COPROCESSORS, "").equalsIgnoreCase("false")) {
      return List.of();
    }
    return Stream.of(site.get(key, "").split(",", -1))
        // A coprocessor's priority may follow its name.
        .map(name -> name.split("\\|", 2)[0].trim())
        .filter(name -> !name.isEmpty())
        .toList();
  }

  public static List<String> of(SiteValues site) {
    return ALL.stream().filter(key -> classes(site, key).contains(CLASSES.get(key))).toList();
  }

  /** Whether HBase creates Terrace below its own cache. */
  public static boolean isExternal(SiteValues site) {
    List<String> keys = of(site);
    return keys.contains(EXTERNAL_CACHE)
        && !keys.contains(REGION_SERVER_CLASS)
        && site.isTrue(USE_EXTERNAL)
        && site.number(HEAP_CACHE_SHARE, 1) > 0;
  }
}
