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

  public static final String TERRACE_REGION_SERVER = "dev.terrace.hbase.TerraceRegionServer";

  public static final String TERRACE_COPROCESSOR = "dev.terrace.hbase.TerraceCoprocessor";
  public static final String TERRACE_CACHE = "dev.terrace.hbase.TieredBlockCache";

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

  /** The keys that name a class of Terrace. */
  public static List<String> of(SiteValues site) {
    return Stream.of(
            Map.entry(REGION_SERVER_CLASS, TERRACE_REGION_SERVER),
            Map.entry(COPROCESSOR, TERRACE_COPROCESSOR),
            Map.entry(EXTERNAL_CACHE, TERRACE_CACHE))
        .filter(entry -> classes(site, entry.getKey()).contains(entry.getValue()))
        .map(Map.Entry::getKey)
        .toList();
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
