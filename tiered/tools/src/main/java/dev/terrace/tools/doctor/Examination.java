// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import com.sun.security.auth.module.UnixSystem;
import dev.terrace.hbase.preflight.EntryKeys;
import dev.terrace.hbase.preflight.PathContents;
import dev.terrace.hbase.preflight.ServerProcess;
import dev.terrace.hbase.preflight.StartChecks;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.VersionInfo;

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
  private final List<Finding> findings;

  /**
   * Runs the checks of a start, and of what a running server cannot see.
   *
   * @param conf the configuration that the region server would read
   * @param folder the folder of the configuration
   */
  Examination(Configuration conf, Path folder, ServerJvm jvm, ServerClasses classes)
      throws IOException {
    ServerProcess process = jvm.process(VersionInfo.getVersion());
    site = new SiteValues(conf);
    checks = new StartChecks(site, process);
    settings = checks.settings();
    facts = StartFacts.of(site, checks, process, folder);
    findings = new ArrayList<>(checks.errors());
    jvm.refusal().ifPresent(findings::add);
    findings.addAll(classes.findings(site));
    findings.addAll(ofUser(new UnixSystem().getUsername()));
    checkHadoop();
    checkNativeAccess(jvm, Runtime.version().feature());
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
  static List<Finding> ofUser(String name) throws IOException {
    return name != null
        ? List.of()
        : List.of(
            Finding.error(
                "the user id "
                    + Files.getAttribute(Path.of("/proc/self"), "unix:uid")
                    + " has no name",
                "Hadoop's login needs the name, and fails without it.",
                "give the id a line in /etc/passwd, or run the server as a user that has one"));
  }

  private void checkHadoop() {
    String hadoop = org.apache.hadoop.util.VersionInfo.getVersion();
    int java = Runtime.version().feature();
    if (hadoop.startsWith("2.") && java >= FIRST_JAVA_WITHOUT_HADOOP_2) {
      findings.add(
          Finding.error(
              "Java " + java + " with Hadoop " + hadoop,
              "Hadoop 2 uses an API that Java "
                  + FIRST_JAVA_WITHOUT_HADOOP_2
                  + " removed, so the server does not start.",
              "set JAVA_HOME in hbase-env.sh to Java 17 or 21, or run HBase on Hadoop 3"));
    }
  }

  private void checkNativeAccess(ServerJvm jvm, int java) {
    if (settings.hasLastingTier() && !jvm.nativeAccess()) {
      findings.addAll(withoutNativeAccess(java));
    }
  }

  static List<Finding> withoutNativeAccess(int java) {
    return java < FIRST_JAVA_THAT_WARNS_OF_NATIVE_ACCESS
        ? List.of()
        : List.of(
            Finding.warning(
                "Java " + java + " without native access enabled in the server's options",
                "PMem and SSD tiers need it (JNA). Java warns at each start; with"
                    + " --illegal-native-access=deny, a later default, these tiers are out of service.",
                "add --enable-native-access=ALL-UNNAMED to HBASE_OPTS in hbase-env.sh"));
  }

  private void checkEntryPoint() {
    List<String> entries = EntryKeys.of(site);
    if (entries.equals(List.of(EntryKeys.EXTERNAL_CACHE)) && !EntryKeys.isExternal(site)) {
      findings.add(unused(site));
    } else if (entries.isEmpty() && findings.stream().noneMatch(Finding::isError)) {
      findings.add(
          Finding.warning(
              "no property makes Terrace the block cache",
              "The region server starts without it, unless its own class calls Terrace.install.",
              "set hbase.regionserver.impl to dev.terrace.hbase.TerraceRegionServer, or another"
                  + " entry point"));
    }
  }

  private static Finding unused(SiteValues site) {
    String key = EntryKeys.EXTERNAL_CACHE;
    String share = EntryKeys.HEAP_CACHE_SHARE;
    return site.isTrue(EntryKeys.USE_EXTERNAL)
        ? Finding.warning(
            key + " names Terrace, but " + share + " is 0",
            "HBase then creates no cache at all, and runs without Terrace.",
            "set " + share + " to the share of the heap for indexes and bloom filters, such as 0.1")
        : Finding.warning(
            key + " names Terrace, but " + EntryKeys.USE_EXTERNAL + " is not true",
            "HBase ignores the class, and runs without Terrace.",
            "set " + EntryKeys.USE_EXTERNAL + " to true");
  }

  /** Which servers CacheAwareLoadBalancer takes for warm. It runs in the masters. */
  private void checkBalancer() {
    String balancer = site.get(BALANCER, "");
    if (balancer.endsWith("CacheAwareLoadBalancer") && site.get(PERSISTENT_PATH).isEmpty()) {
      findings.add(
          Finding.warning(
              BALANCER + "=" + balancer + " without " + PERSISTENT_PATH,
              "The balancer then assumes that no cache survives a restart, and does not return regions"
                  + " to the server that has them cached.",
              "set " + PERSISTENT_PATH + " on the masters, to any path"));
    }
  }

  /** The server asks its key provider for the master key; doctor does not. */
  private void checkEncryption() {
    DeviceEncryption encryption = settings.get(TerraceSettings.ENCRYPTION);
    Optional<String> provider = site.get("hbase.crypto.keyprovider");
    if (encryption != DeviceEncryption.NONE && settings.hasLastingTier() && provider.isPresent()) {
      findings.add(
          Finding.question(
              TerraceSettings.ENCRYPTION.with(encryption) + " needs HBase's master key",
              "The server does not start if " + provider.get() + " does not provide it.",
              "check that families of this cluster are already encrypted with it"));
    }
  }

  private void checkPaths(Path folder) {
    String contents = PathContents.text(site, settings);
    for (DeviceKind kind : DeviceKind.values()) {
      TierSpace space = kind == DeviceKind.PMEM ? settings.pmem() : settings.ssd();
      for (Path path : space.paths()) {
        if (checks.isSilent(path)) {
          continue;
        }
        checkHolder(path, folder);
        try {
          ReadOnlyDevice.whyDiscarded(
                  space.split().withContents(contents, Optional.empty()).spec(path, kind))
              .ifPresent(why -> findings.add(discarded(path, why)));
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
                findings.add(
                    Finding.question(
                        path + " is in use by " + holder,
                        "Only one server can use a path. That one has another configuration, or"
                            + " cannot be inspected.",
                        "if it is the server to be restarted, stop it first; otherwise name another"
                            + " path")));
  }

  /** Blocks that the start discards. */
  private static Finding discarded(Path path, String why) {
    return Finding.warning(
        path + " is " + why,
        "The start discards the blocks there, so the path starts cold.",
        "nothing, if intended; otherwise restore the previous version or settings");
  }
}
