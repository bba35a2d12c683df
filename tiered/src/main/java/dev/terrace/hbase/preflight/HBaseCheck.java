// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.terrace.hbase.settings.Finding.Severity;
import dev.terrace.hbase.settings.Findings;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
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
  private static final String BUCKET_CACHE = "hbase.bucketcache.ioengine";
  private static final String KEY_PROVIDER = "hbase.crypto.keyprovider";
  private static final String KEY_PARAMETERS = "hbase.crypto.keyprovider.parameters";

  private HBaseCheck() {}

  static void check(SiteValues site, TerraceSettings settings, Findings findings) {
    checkEncryption(site, settings, findings);
    checkEntryPoints(site, settings, findings);
    if (site.isTrue(EVICT_ON_CLOSE) && settings.hasLastingTier()) {
      findings.warning("evict-on-close");
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
      findings.warning("nothing-to-encrypt", setting);
    } else if (site.get(KEY_PROVIDER).isEmpty() && site.get(KEY_PARAMETERS).isEmpty()) {
      findings.error("no-key-provider", setting);
    } else {
      new BlockCipher(BlockCipher.newKey())
          .fault()
          .ifPresent(
              why ->
                  findings.add(
                      encryption == DeviceEncryption.ALL ? Severity.ERROR : Severity.WARNING,
                      "no-cipher",
                      setting,
                      why));
    }
  }

  private static void checkEntryPoints(
      SiteValues site, TerraceSettings settings, Findings findings) {
    List<String> entries = EntryKeys.of(site);
    boolean external = EntryKeys.isExternal(site);
    if (external && !site.get(POLICY, "").equalsIgnoreCase(INDEX_ONLY)) {
      findings.warning("policy", site.get(POLICY, "LRU"));
    }
    if (entries.size() > 1) {
      // The region server's class alone keeps an external cache away.
      boolean isError = external && settings.hasLastingTier();
      findings.add(
          isError ? Severity.ERROR : Severity.WARNING,
          external ? "two-caches" : "entry-points",
          String.join(" and ", entries));
    }
    if (entries.equals(List.of(EntryKeys.COPROCESSOR)) && site.get(BUCKET_CACHE).isPresent()) {
      findings.warning("bucket-cache", site.get(BUCKET_CACHE, ""));
    }
  }

  /** Checks the versions against those that Terrace is tested with. */
  static void checkVersions(String hbase, int java, Findings findings) {
    if (HBASE_VERSIONS.stream().noneMatch(line -> (hbase + ".").startsWith(line + "."))) {
      findings.warning("hbase-version", hbase, String.join(", ", HBASE_VERSIONS));
    }
    if (java > LAST_JAVA) {
      findings.warning("java-version", java);
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
          "few-files",
          most,
          DESCRIPTORS_AT_START + paths * DESCRIPTORS_PER_PATH,
          ENOUGH_DESCRIPTORS);
    }
  }
}
