// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import com.sun.security.auth.module.UnixSystem;
import dev.terrace.hbase.preflight.EntryKeys;
import dev.terrace.hbase.preflight.StartChecks;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Findings;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Finds how a region server would start with a configuration folder. Changes nothing. */
final class Examination {

  private static final int FIRST_JAVA_WITHOUT_HADOOP_2 = 24;
  private static final int FIRST_JAVA_THAT_WARNS_OF_NATIVE_ACCESS = 24;
  private static final String BALANCER = "hbase.master.loadbalancer.class";
  private static final String PERSISTENT_PATH = "hbase.bucketcache.persistent.path";

  private final SiteValues site;
  private final StartChecks checks;
  private final TerraceSettings settings;
  private final Map<String, String> facts;
  private final Findings findings = new Findings();

  /**
   * Runs the checks of a start, and of what a running server cannot see.
   *
   * @param conf the configuration that the region server would read
   * @param folder the folder of the configuration
   */
  Examination(Configuration conf, Path folder, ServerJvm jvm, ServerClasses classes)
      throws IOException {
    site = new SiteValues(conf);
    checks = new StartChecks(site, jvm.process());
    settings = checks.settings();
    facts = new StartFacts(site, checks, jvm.process(), folder).byName();
    findings.addAll(checks.errors());
    findings.addAll(jvm.refusal());
    classes.check(site, findings);
    checkUser(new UnixSystem().getUsername(), findings);
    checkHadoop();
    if (settings.hasLastingTier() && !jvm.nativeAccess()) {
      warnOfNativeAccess(Runtime.version().feature(), findings);
    }
    checkEntryPoint();
    checkBalancer();
    checkEncryption();
    checkPaths(folder);
    findings.addAll(checks.warnings());
    findings.sort(Comparator.comparing(Finding::severity));
  }

  /** Facts about the start, by name. */
  Map<String, String> facts() {
    return facts;
  }

  /** The findings, the errors first. */
  List<Finding> findings() {
    return findings;
  }

  /** The number of findings of a severity. */
  long count(Finding.Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }

  /** Whether the server does not start if Terrace does not. */
  boolean needsTerrace() {
    return site.get(EntryKeys.REGION_SERVER_CLASS).isPresent()
        || EntryKeys.of(site).contains(EntryKeys.COPROCESSOR);
  }

  /**
   * Checks for what would make Hadoop's login fail.
   *
   * @param name the user's name; null if the system has none for the user's id
   */
  static void checkUser(String name, Findings findings) throws IOException {
    if (name == null) {
      findings.error("nameless-user", Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }
  }

  private void checkHadoop() {
    String hadoop = org.apache.hadoop.util.VersionInfo.getVersion();
    int java = Runtime.version().feature();
    if (hadoop.startsWith("2.") && java >= FIRST_JAVA_WITHOUT_HADOOP_2) {
      findings.error("hadoop-2", java, hadoop, FIRST_JAVA_WITHOUT_HADOOP_2);
    }
  }

  static void warnOfNativeAccess(int java, Findings findings) {
    if (java >= FIRST_JAVA_THAT_WARNS_OF_NATIVE_ACCESS) {
      findings.warning("native-access", java);
    }
  }

  private void checkEntryPoint() {
    List<String> entries = EntryKeys.of(site);
    if (entries.equals(List.of(EntryKeys.EXTERNAL_CACHE)) && !EntryKeys.isExternal(site)) {
      boolean isUsed = site.isTrue(EntryKeys.USE_EXTERNAL);
      findings.warning(isUsed ? "no-heap-cache" : "no-external-cache");
    } else if (entries.isEmpty() && findings.stream().noneMatch(Finding::isError)) {
      findings.warning("no-entry-point");
    }
  }

  private void checkBalancer() {
    String balancer = site.get(BALANCER, "");
    if (balancer.endsWith("CacheAwareLoadBalancer") && site.get(PERSISTENT_PATH).isEmpty()) {
      findings.warning("balancer", balancer);
    }
  }

  /** The server asks its key provider for the master key; doctor does not. */
  private void checkEncryption() {
    DeviceEncryption encryption = settings.get(TerraceSettings.ENCRYPTION);
    Optional<String> provider = site.get("hbase.crypto.keyprovider");
    if (encryption != DeviceEncryption.NONE && settings.hasLastingTier() && provider.isPresent()) {
      findings.question("master-key", TerraceSettings.ENCRYPTION.with(encryption), provider.get());
    }
  }

  private void checkPaths(Path folder) {
    String contents = settings.pathContents(site);
    for (DeviceKind kind : DeviceKind.values()) {
      TierSpace space = kind == DeviceKind.PMEM ? settings.pmem() : settings.ssd();
      for (Path path : space.paths()) {
        if (checks.paths().isSilent(path)) {
          continue;
        }
        checkHolder(path, folder);
        try {
          ReadOnlyDevice.whyDiscarded(
                  space.split().withContents(contents, Optional.empty()).spec(path, kind))
              .ifPresent(why -> findings.warning("discarded-path", path, why));
        } catch (IOException e) {
          // PathCheck reports it.
        }
      }
    }
  }

  /** A process that has the path open may be the server to be restarted. */
  private void checkHolder(Path path, Path folder) {
    PathHolder.of(path)
        .filter(holder -> !holder.runsWith(folder))
        .ifPresent(holder -> findings.question("path-in-use", path, holder));
  }
}
