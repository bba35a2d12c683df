// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Checks HBase's own settings for those that leave Terrace out, or make it useless, and for a key
 * where blocks are to be encrypted.
 */
final class HBaseCheck implements Check {

  private static final String EVICT_ON_CLOSE = "hbase.rs.evictblocksonclose";
  private static final String POLICY = "hfile.block.cache.policy";
  private static final String INDEX_ONLY = "IndexOnlyLRU";
  private static final String BALANCER = "hbase.master.loadbalancer.class";
  private static final String PERSISTENT_PATH = "hbase.bucketcache.persistent.path";
  private static final String BUCKET_CACHE = "hbase.bucketcache.ioengine";
  private static final String TUNED_CACHE = "hfile.block.cache.size.max.range";
  private static final String KEY_PROVIDER = "hbase.crypto.keyprovider";
  private static final String KEY_PARAMETERS = "hbase.crypto.keyprovider.parameters";

  @Override
  public List<Finding> of(Start start) {
    SiteValues site = start.site();
    List<Finding> findings = new ArrayList<>(ofEncryption(start));
    checkEntryPoints(start, findings);
    checkHeapShares(site, findings);
    if (site.isTrue(EVICT_ON_CLOSE) && start.settings().hasLastingTier()) {
      findings.add(
          Finding.warning(
              EVICT_ON_CLOSE + "=true",
              "A region that moves away loses its blocks, and so nothing is warm when it comes"
                  + " back.",
              "set it to false, which is the default"));
    }
    if (site.get(BALANCER, "").endsWith("CacheAwareLoadBalancer")
        && site.get(PERSISTENT_PATH).isEmpty()) {
      findings.add(
          Finding.warning(
              BALANCER + "=" + site.get(BALANCER, "") + " without " + PERSISTENT_PATH,
              "The balancer then takes no cache for one that survives, and gives no region back to"
                  + " the server that has it cached.",
              "set " + PERSISTENT_PATH + " on the masters, to any path"));
    }
    return findings;
  }

  /** Blocks to be encrypted need a key. The server finds out whether it is available. */
  private static List<Finding> ofEncryption(Start start) {
    DeviceEncryption encryption = start.settings().get(TerraceSettings.ENCRYPTION);
    if (encryption == DeviceEncryption.NONE) {
      return List.of();
    }
    String setting = TerraceSettings.ENCRYPTION.with(encryption);
    if (!start.settings().hasLastingTier()) {
      return List.of(
          Finding.warning(
              setting + " has no effect without a tier on PMem or SSD",
              "Blocks in DRAM are not encrypted, as those of HBase's own caches are not.",
              "remove it, or add such a tier"));
    }
    if (start.site().get(KEY_PROVIDER).isEmpty() && start.site().get(KEY_PARAMETERS).isEmpty()) {
      return List.of(
          Finding.error(
              setting + " needs a key provider, and HBase has none",
              "The keys of the tiers lie on their paths, wrapped by HBase's master key.",
              "set "
                  + KEY_PROVIDER
                  + " and "
                  + KEY_PARAMETERS
                  + ", as for encrypted families, or "
                  + TerraceSettings.ENCRYPTION.key()
                  + " to none"));
    }
    return List.of();
  }

  private static void checkEntryPoints(Start start, List<Finding> findings) {
    SiteValues site = start.site();
    List<String> entries = EntryKeys.of(site);
    boolean external = EntryKeys.isExternal(site);
    if (external && !site.get(POLICY, "").equalsIgnoreCase(INDEX_ONLY)) {
      findings.add(
          Finding.warning(
              POLICY + "=" + site.get(POLICY, "LRU") + " above an external cache",
              "HBase copies each block that Terrace finds to the heap.",
              "set " + POLICY + " to " + INDEX_ONLY));
    }
    if (external && entries.contains(EntryKeys.COPROCESSOR)) {
      findings.add(twice(start.settings().hasLastingTier()));
    } else if (entries.equals(List.of(EntryKeys.EXTERNAL_CACHE)) && !external) {
      findings.add(unused(site));
    }
    if (entries.equals(List.of(EntryKeys.COPROCESSOR)) && site.get(BUCKET_CACHE).isPresent()) {
      findings.add(
          Finding.warning(
              BUCKET_CACHE + "=" + site.get(BUCKET_CACHE, "") + " beside Terrace",
              "HBase makes that cache first, with all its memory, and the coprocessor replaces it.",
              "remove the properties of hbase.bucketcache but " + PERSISTENT_PATH));
    }
  }

  private static Finding twice(boolean fails) {
    return new Finding(
        fails ? Finding.Severity.ERROR : Finding.Severity.WARNING,
        EntryKeys.COPROCESSOR + " and " + EntryKeys.EXTERNAL_CACHE + " both name Terrace",
        "HBase makes two caches, and the paths of the first are in use when the second opens them.",
        "keep one of the two properties");
  }

  private static Finding unused(SiteValues site) {
    String key = EntryKeys.EXTERNAL_CACHE;
    return site.isTrue(EntryKeys.USE_EXTERNAL)
        ? Finding.warning(
            key + " names Terrace, and " + HeapShares.CACHE + " is 0",
            "HBase then makes no cache at all: it runs without Terrace.",
            "set " + HeapShares.CACHE + " to what indexes and bloom filters take, such as 0.1")
        : Finding.warning(
            key + " names Terrace, and " + EntryKeys.USE_EXTERNAL + " is not true",
            "HBase ignores the class, and runs without Terrace.",
            "set " + EntryKeys.USE_EXTERNAL + " to true");
  }

  private static void checkHeapShares(SiteValues site, List<Finding> findings) {
    for (String key : HeapShares.keysThatAreNoNumbers(site)) {
      findings.add(
          Finding.error(
              key + "=" + site.get(key, "") + " is no number",
              "HBase does not start with it.",
              "write a share of the heap, such as 0.4"));
    }
    HeapShares shares = HeapShares.of(site);
    if (shares.isTooMuch()) {
      findings.add(
          Finding.error(
              HeapShares.MEMSTORE
                  + " and "
                  + HeapShares.CACHE
                  + String.format(
                      Locale.ROOT, " are %.2f and %.2f", shares.memstore(), shares.checkedCache()),
              "Together they are more than 0.8 of the heap: HBase refuses to start.",
              String.format(
                  Locale.ROOT, "set %s to at most %.2f", HeapShares.CACHE, shares.fittingCache())));
    }
    if (site.number(TUNED_CACHE, 0) > 0 && !EntryKeys.isExternal(site)) {
      findings.add(
          Finding.warning(
              TUNED_CACHE + "=" + site.get(TUNED_CACHE, "") + " has no effect",
              "HBase's heap tuner trades heap between memstores and block cache. Terrace is off the"
                  + " heap, and switches that side off.",
              "remove it, and set " + HeapShares.MEMSTORE + " to what the memstores may take"));
    }
  }
}
