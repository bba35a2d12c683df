// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.hbase.settings.TextTable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Checks HBase's own settings for those that leave Terrace out, or make it useless, and for a key
 * where blocks are to be encrypted; and what HBase runs with: versions and file descriptors.
 */
final class HBaseCheck {

  private static final List<String> HBASE_VERSIONS = List.of("2.5", "2.6", "3.0");
  private static final int LEAST_JAVA = 17;
  private static final int LAST_JAVA = 25;

  /** HBase's manual wants so many descriptors. */
  private static final long ENOUGH_DESCRIPTORS = 10_240;

  /** What a region server has open once it has started: jars, sockets, logs. */
  private static final int DESCRIPTORS_OF_A_START = 500;

  /** Files of a path that is in use. */
  private static final int DESCRIPTORS_OF_A_PATH = 10;

  private static final String EVICT_ON_CLOSE = "hbase.rs.evictblocksonclose";
  private static final String POLICY = "hfile.block.cache.policy";
  private static final String INDEX_ONLY = "IndexOnlyLRU";
  private static final String BALANCER = "hbase.master.loadbalancer.class";
  private static final String PERSISTENT_PATH = "hbase.bucketcache.persistent.path";
  private static final String BUCKET_CACHE = "hbase.bucketcache.ioengine";
  private static final String KEY_PROVIDER = "hbase.crypto.keyprovider";
  private static final String KEY_PARAMETERS = "hbase.crypto.keyprovider.parameters";

  private HBaseCheck() {}

  static List<Finding> findings(SiteValues site, TerraceSettings settings) {
    List<Finding> findings = new ArrayList<>(ofEncryption(site, settings));
    checkEntryPoints(site, settings, findings);
    checkHeapShares(site, findings);
    if (site.isTrue(EVICT_ON_CLOSE) && settings.hasLastingTier()) {
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
  private static List<Finding> ofEncryption(SiteValues site, TerraceSettings settings) {
    DeviceEncryption encryption = settings.get(TerraceSettings.ENCRYPTION);
    if (encryption == DeviceEncryption.NONE) {
      return List.of();
    }
    String setting = TerraceSettings.ENCRYPTION.with(encryption);
    if (!settings.hasLastingTier()) {
      return List.of(
          Finding.warning(
              setting + " has no effect without a tier on PMem or SSD",
              "Blocks in DRAM are not encrypted, as those of HBase's own caches are not.",
              "remove it, or add such a tier"));
    }
    if (site.get(KEY_PROVIDER).isEmpty() && site.get(KEY_PARAMETERS).isEmpty()) {
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

  private static void checkEntryPoints(
      SiteValues site, TerraceSettings settings, List<Finding> findings) {
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
      findings.add(twice(settings.hasLastingTier()));
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
  }

  /** Checks the versions against those that Terrace is tested with. */
  static List<Finding> ofVersions(ServerProcess process) {
    List<Finding> findings = new ArrayList<>();
    String hbase = process.hbaseVersion().orElse("");
    if (!hbase.isEmpty()
        && HBASE_VERSIONS.stream().noneMatch(line -> (hbase + ".").startsWith(line + "."))) {
      findings.add(
          Finding.warning(
              "HBase " + hbase + " is not tested",
              "A block cache uses parts of HBase that change between its versions.",
              "run one of HBase " + String.join(", ", HBASE_VERSIONS) + ", or try it out first"));
    }
    int java = process.javaVersion();
    if (java > 0 && java < LEAST_JAVA) {
      findings.add(
          Finding.error(
              "Java " + java + " is too old",
              "The classes of Terrace are for Java " + LEAST_JAVA + " and later.",
              "set JAVA_HOME in hbase-env.sh to Java 17, 21 or 25"));
    } else if (java > LAST_JAVA) {
      findings.add(
          Finding.warning(
              "Java " + java + " is not tested",
              "HBase and Hadoop do not start on each new version.",
              "set JAVA_HOME in hbase-env.sh to Java 17, 21 or 25"));
    }
    return findings;
  }

  /** The limit of this process, which the JVM has raised to the hard one. */
  static long maxDescriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? system.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  /** Warns of a low limit. */
  static List<Finding> ofDescriptors(TerraceSettings settings, long most) {
    int paths = settings.pmem().paths().size() + settings.ssd().paths().size();
    return most >= ENOUGH_DESCRIPTORS
        ? List.of()
        : List.of(
            Finding.warning(
                "this process may open " + TextTable.count(most) + " files",
                "A region server has some "
                    + TextTable.count(DESCRIPTORS_OF_A_START + (long) paths * DESCRIPTORS_OF_A_PATH)
                    + " open at its start, and one or more for each store file and connection"
                    + " later. With none left it fails.",
                "raise the limit to at least "
                    + ENOUGH_DESCRIPTORS
                    + " (ulimit -n, LimitNOFILE of a systemd unit)"));
  }

  /**
   * The shares of the heap that HBase gives away.
   *
   * @param memstore of all memstores
   * @param checkedCache of HBase's own cache when HBase checks the shares, which is before the
   *     coprocessor gives it back
   * @param cache of HBase's own cache in the end
   */
  record HeapShares(double memstore, double checkedCache, double cache) {

    static final String MEMSTORE = "hbase.regionserver.global.memstore.size";
    static final String CACHE = "hfile.block.cache.size";

    private static final String OLD_MEMSTORE = "hbase.regionserver.global.memstore.upperLimit";
    private static final double USUAL = 0.4;

    /** HBase keeps a fifth of the heap free. */
    private static final int MOST_PERCENT = 80;

    /** Of the heap; less is no room. */
    private static final double LEAST_LEFT = 0.01;

    static HeapShares of(SiteValues site) {
      double memstore = site.number(MEMSTORE, site.number(OLD_MEMSTORE, USUAL));
      boolean isUsable = memstore > 0 && percent(memstore) <= MOST_PERCENT;
      double cache = site.number(CACHE, USUAL);
      boolean givenBackFirst = EntryKeys.of(site).contains(EntryKeys.REGION_SERVER_CLASS);
      return new HeapShares(
          isUsable ? memstore : USUAL,
          givenBackFirst ? 0 : cache,
          EntryKeys.isExternal(site) ? cache : 0);
    }

    /** The keys of shares that HBase reads and cannot. */
    static List<String> keysThatAreNoNumbers(SiteValues site) {
      boolean givenBackFirst = EntryKeys.of(site).contains(EntryKeys.REGION_SERVER_CLASS);
      return Stream.of(MEMSTORE, OLD_MEMSTORE, CACHE)
          .filter(key -> !(givenBackFirst && key.equals(CACHE)))
          .filter(key -> site.get(key).isPresent() && Double.isNaN(site.number(key, Double.NaN)))
          .toList();
    }

    /** The share that neither memstores nor cache take, nor HBase keeps free. */
    double leftForOthers() {
      return Math.max(LEAST_LEFT, MOST_PERCENT / 100.0 - memstore - cache);
    }

    /** Whether HBase refuses to start. */
    boolean isTooMuch() {
      return percent(memstore) + percent(checkedCache) > MOST_PERCENT;
    }

    /** The largest share of HBase's own cache with which it starts. */
    double fittingCache() {
      return (MOST_PERCENT - percent(memstore)) / 100.0;
    }

    /** As HBase computes it. */
    private static int percent(double share) {
      return (int) ((float) share * 100);
    }
  }
}
