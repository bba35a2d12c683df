// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Findings;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.hbase.settings.TextTable;
import dev.terrace.region.cipher.BlockCipher;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Checks HBase's own settings: for those that bypass Terrace or make it useless, and for a key if
 * blocks are to be encrypted. Also checks what HBase runs with: versions and file descriptors.
 */
final class HBaseCheck {

  private static final List<String> HBASE_VERSIONS = List.of("2.5", "2.6", "3.0");
  private static final int LAST_JAVA = 25;

  /** The number of descriptors that HBase's manual requires. */
  private static final long ENOUGH_DESCRIPTORS = 10_240;

  /** Descriptors of a region server that has just started: jars, sockets, logs. */
  private static final int DESCRIPTORS_AT_START = 500;

  /** Descriptors of a path in use. */
  private static final int DESCRIPTORS_PER_PATH = 10;

  private static final String EVICT_ON_CLOSE = "hbase.rs.evictblocksonclose";
  private static final String POLICY = "hfile.block.cache.policy";
  private static final String INDEX_ONLY = "IndexOnlyLRU";
  private static final String PERSISTENT_PATH = "hbase.bucketcache.persistent.path";
  private static final String BUCKET_CACHE = "hbase.bucketcache.ioengine";
  private static final String KEY_PROVIDER = "hbase.crypto.keyprovider";
  private static final String KEY_PARAMETERS = "hbase.crypto.keyprovider.parameters";

  private HBaseCheck() {}

  static void check(SiteValues site, TerraceSettings settings, Findings findings) {
    checkEncryption(site, settings, findings);
    checkEntryPoints(site, settings, findings);
    if (site.isTrue(EVICT_ON_CLOSE) && settings.hasLastingTier()) {
      findings.warning(
          EVICT_ON_CLOSE + "=true",
          "HBase evicts a region's blocks when it moves away, so it is cold when it comes"
              + " back.",
          "set it to false, which is the default");
    }
  }

  /** Encryption needs a key. Whether the key is available, only the server finds out. */
  private static void checkEncryption(
      SiteValues site, TerraceSettings settings, Findings findings) {
    DeviceEncryption encryption = settings.get(TerraceSettings.ENCRYPTION);
    if (encryption == DeviceEncryption.NONE) {
      return;
    }
    String setting = TerraceSettings.ENCRYPTION.with(encryption);
    if (!settings.hasLastingTier()) {
      findings.warning(
          setting + " has no effect without a tier on PMem or SSD",
          "Blocks in DRAM are never encrypted, nor are those in HBase's own caches.",
          "remove it, or add such a tier");
    } else if (site.get(KEY_PROVIDER).isEmpty() && site.get(KEY_PARAMETERS).isEmpty()) {
      findings.error(
          setting + " needs a key provider, and HBase has none",
          "Each path stores its key, wrapped by HBase's master key.",
          "set "
              + KEY_PROVIDER
              + " and "
              + KEY_PARAMETERS
              + ", as for encrypted families, or "
              + TerraceSettings.ENCRYPTION.key()
              + " to none");
    } else {
      new BlockCipher(BlockCipher.newKey())
          .fault()
          .ifPresent(
              why ->
                  findings.add(
                      encryption == DeviceEncryption.ALL
                          ? Finding.Severity.ERROR
                          : Finding.Severity.WARNING,
                      setting
                          + ": the security providers of this JVM cannot encrypt blocks ("
                          + why
                          + ")",
                      "Blocks to be encrypted are not cached on PMem and SSD (refusals ENCRYPTED)."
                          + " AES/GCM/NoPadding must accept a nonce from its caller, which some FIPS"
                          + " modes refuse.",
                      "list a provider that accepts it in java.security, or set "
                          + TerraceSettings.ENCRYPTION.key()
                          + " to none"));
    }
  }

  private static void checkEntryPoints(
      SiteValues site, TerraceSettings settings, Findings findings) {
    List<String> entries = EntryKeys.of(site);
    boolean external = EntryKeys.isExternal(site);
    if (external && !site.get(POLICY, "").equalsIgnoreCase(INDEX_ONLY)) {
      findings.warning(
          POLICY + "=" + site.get(POLICY, "LRU") + " above an external cache",
          "HBase then copies each block that Terrace returns to the heap.",
          "set " + POLICY + " to " + INDEX_ONLY);
    }
    if (entries.size() > 1) {
      // The region server's class alone keeps an external cache away.
      findings.add(
          external && settings.hasLastingTier() ? Finding.Severity.ERROR : Finding.Severity.WARNING,
          String.join(" and ", entries) + " all name Terrace",
          external
              ? "HBase creates two caches, and the second cannot open the paths of the first."
              : "Only one of them creates the cache; the others have no effect.",
          "keep one of these properties");
    }
    if (entries.equals(List.of(EntryKeys.COPROCESSOR)) && site.get(BUCKET_CACHE).isPresent()) {
      findings.warning(
          BUCKET_CACHE + "=" + site.get(BUCKET_CACHE, "") + " beside Terrace",
          "HBase creates that cache with all its memory before the coprocessor replaces it.",
          "remove all hbase.bucketcache properties except " + PERSISTENT_PATH);
    }
  }

  /** Checks the versions against those that Terrace is tested with. */
  static void checkVersions(String hbase, int java, Findings findings) {
    if (HBASE_VERSIONS.stream().noneMatch(line -> (hbase + ".").startsWith(line + "."))) {
      findings.warning(
          "HBase " + hbase + " is not tested",
          "A block cache depends on internals of HBase that change between versions.",
          "run one of HBase " + String.join(", ", HBASE_VERSIONS) + ", or test it first");
    }
    if (java > LAST_JAVA) {
      findings.warning(
          "Java " + java + " is not tested",
          "HBase and Hadoop do not start on every new version of Java.",
          "set JAVA_HOME in hbase-env.sh to Java 17, 21 or 25");
    }
  }

  /** This process's limit, which the JVM has raised to the hard limit. */
  static long maxDescriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? system.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  /** Warns of a low limit on file descriptors. */
  static void checkDescriptors(TerraceSettings settings, long most, Findings findings) {
    int paths = settings.pmem().paths().size() + settings.ssd().paths().size();
    if (most < ENOUGH_DESCRIPTORS) {
      findings.warning(
          "this process may open " + TextTable.count(most) + " files",
          "A region server opens about "
              + TextTable.count(DESCRIPTORS_AT_START + (long) paths * DESCRIPTORS_PER_PATH)
              + " at startup, and one or more for each store file and connection later;"
              + " it fails when none is left.",
          "raise the limit to at least "
              + ENOUGH_DESCRIPTORS
              + " (ulimit -n, LimitNOFILE of a systemd unit)");
    }
  }
}
