// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import com.sun.security.auth.module.UnixSystem;
import dev.terrace.hbase.preflight.EntryKeys;
import dev.terrace.hbase.preflight.PathContents;
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
      findings.error(
          "the user id " + Files.getAttribute(Path.of("/proc/self"), "unix:uid") + " has no name",
          "Hadoop's login needs the name, and fails without it.",
          "give the id a line in /etc/passwd, or run the server as a user that has one");
    }
  }

  private void checkHadoop() {
    String hadoop = org.apache.hadoop.util.VersionInfo.getVersion();
    int java = Runtime.version().feature();
    if (hadoop.startsWith("2.") && java >= FIRST_JAVA_WITHOUT_HADOOP_2) {
      findings.error(
          "Java " + java + " with Hadoop " + hadoop,
          "Hadoop 2 uses an API that Java "
              + FIRST_JAVA_WITHOUT_HADOOP_2
              + " removed, so the server does not start.",
          "set JAVA_HOME in hbase-env.sh to Java 17 or 21, or run HBase on Hadoop 3");
    }
  }

  static void warnOfNativeAccess(int java, Findings findings) {
    if (java >= FIRST_JAVA_THAT_WARNS_OF_NATIVE_ACCESS) {
      findings.warning(
          "Java " + java + " without native access enabled in the server's options",
          "PMem and SSD tiers need it (JNA). Java warns at each start; with"
              + " --illegal-native-access=deny, a later default, these tiers are out of service.",
          "add --enable-native-access=ALL-UNNAMED to HBASE_OPTS in hbase-env.sh");
    }
  }

  private void checkEntryPoint() {
    List<String> entries = EntryKeys.of(site);
    if (entries.equals(List.of(EntryKeys.EXTERNAL_CACHE)) && !EntryKeys.isExternal(site)) {
      warnOfUnusedClass();
    } else if (entries.isEmpty() && findings.stream().noneMatch(Finding::isError)) {
      findings.warning(
          "no property makes Terrace the block cache",
          "The region server starts without it, unless its own class calls Terrace.install.",
          "set hbase.regionserver.impl to dev.terrace.hbase.TerraceRegionServer, or another"
              + " entry point");
    }
  }

  private void warnOfUnusedClass() {
    String key = EntryKeys.EXTERNAL_CACHE;
    String share = EntryKeys.HEAP_CACHE_SHARE;
    if (site.isTrue(EntryKeys.USE_EXTERNAL)) {
      findings.warning(
          key + " names Terrace, but " + share + " is 0",
          "HBase then creates no cache at all, and runs without Terrace.",
          "set " + share + " to the share of the heap for indexes and bloom filters, such as 0.1");
    } else {
      findings.warning(
          key + " names Terrace, but " + EntryKeys.USE_EXTERNAL + " is not true",
          "HBase ignores the class, and runs without Terrace.",
          "set " + EntryKeys.USE_EXTERNAL + " to true");
    }
  }

  /** Which servers CacheAwareLoadBalancer takes for warm. It runs in the masters. */
  private void checkBalancer() {
    String balancer = site.get(BALANCER, "");
    if (balancer.endsWith("CacheAwareLoadBalancer") && site.get(PERSISTENT_PATH).isEmpty()) {
      findings.warning(
          BALANCER + "=" + balancer + " without " + PERSISTENT_PATH,
          "The balancer then assumes that no cache survives a restart, and does not return regions"
              + " to the server that has them cached.",
          "set " + PERSISTENT_PATH + " on the masters, to any path");
    }
  }

  /** The server asks its key provider for the master key; doctor does not. */
  private void checkEncryption() {
    DeviceEncryption encryption = settings.get(TerraceSettings.ENCRYPTION);
    Optional<String> provider = site.get("hbase.crypto.keyprovider");
    if (encryption != DeviceEncryption.NONE && settings.hasLastingTier() && provider.isPresent()) {
      findings.question(
          TerraceSettings.ENCRYPTION.with(encryption) + " needs HBase's master key",
          "The server does not start if " + provider.get() + " does not provide it.",
          "check that families of this cluster are already encrypted with it");
    }
  }

  private void checkPaths(Path folder) {
    String contents = PathContents.text(site, settings);
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
              .ifPresent(
                  why ->
                      findings.warning(
                          path + " is " + why,
                          "The start discards the blocks there, so the path starts cold.",
                          "nothing, if intended; otherwise restore the previous version or settings"));
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
        .ifPresent(
            holder ->
                findings.question(
                    path + " is in use by " + holder,
                    "Only one server can use a path. That one has another configuration, or"
                        + " cannot be inspected.",
                    "if it is the server to be restarted, stop it first; otherwise name another"
                        + " path"));
  }
}
