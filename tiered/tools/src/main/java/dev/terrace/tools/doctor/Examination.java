/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.tools.doctor;

import dev.terrace.hbase.checks.EntryKeys;
import dev.terrace.hbase.checks.MachineMemory;
import dev.terrace.hbase.checks.MemoryCheck;
import dev.terrace.hbase.checks.Mounts;
import dev.terrace.hbase.checks.Mounts.Mount;
import dev.terrace.hbase.checks.PathContents;
import dev.terrace.hbase.checks.ServerProcess;
import dev.terrace.hbase.checks.StartChecks;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.hbase.settings.TierSpace;
import dev.terrace.region.device.MemoryNodes;
import dev.terrace.region.folder.CacheFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A region server that is to start with a folder of configuration.
 *
 * @param facts what its start would be like, by name
 * @param findings the errors first
 * @param needsTerrace whether it does not start where Terrace does not
 */
public record Examination(Map<String, String> facts, List<Finding> findings, boolean needsTerrace) {

  private static final String SITE = "hbase-site.xml";

  /** Copies both. */
  public Examination {
    facts = new LinkedHashMap<>(facts);
    findings = List.copyOf(findings);
  }

  /**
   * Reads the folder, runs the checks of a start, and those of what a running server cannot see.
   * Changes nothing.
   *
   * @param conf the folder with hbase-site.xml
   * @param hbase HBase's folder; empty to look for it near to the other one
   * @throws UnreadableConfException if one of the two cannot be read
   */
  public static Examination of(Path conf, Optional<Path> hbase) throws UnreadableConfException {
    checkIsThere(conf);
    Optional<Path> named = hbase.map(Path::toAbsolutePath);
    EnvScript script =
        EnvScript.run(conf, named.orElseGet(() -> near(conf).get(0)), ShortCommand.LIMIT);
    MachineMemory memory = MachineMemory.ofThisProcess();
    JvmSizes sizes = new JvmSizes(script, memory.bytes());
    JavaHome java = JavaHome.of(script);
    Optional<HBaseHome> home = home(conf, named, script);
    SiteFile site = site(conf, home, script, sizes);
    StartChecks checks =
        StartChecks.of(
            site,
            new ServerProcess(
                sizes.heap().bytes(),
                sizes.direct().bytes(),
                memory,
                java.feature(),
                home.flatMap(HBaseHome::version),
                home.filter(HBaseHome::takesCachesApart).isPresent()));

    List<Finding> findings = new ArrayList<>(script.findings());
    checks.errors().forEach(error -> findings.add(home.isEmpty() ? asQuestion(error) : error));
    findings.addAll(sizes.findings());
    findings.addAll(java.findings(script, sizes));
    if (home.isPresent()) {
      findings.addAll(home.get().findings(site, script, java.feature()));
    } else {
      findings.add(unknownHome());
    }
    findings.addAll(ofSite(site, findings));
    findings.addAll(ofHolders(checks.settings(), conf));
    findings.addAll(ofEncryption(checks.settings(), site));
    findings.addAll(PathContents.discarded(site, checks.settings()));
    findings.addAll(checks.warnings());
    findings.sort((a, b) -> a.severity().compareTo(b.severity()));

    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("configuration", conf.resolve(SITE).toString());
    facts.put("entry point", String.join(", ", EntryKeys.of(site)));
    facts.put("HBase", home.map(HBaseHome::toString).orElse("not found: name it with --hbase"));
    facts.put("Java", java.toString());
    facts.put("user", user(System.getProperty("user.name")));
    addTiers(checks.settings(), sizes, memory, facts);
    facts.put("warming", warming(site, checks.settings()));
    facts.put("memory", String.join("\n" + " ".repeat(15), checks.memory().lines()));
    facts.put("nodes", MemoryNodes.ofThisProcess().toString());
    facts.values().removeIf(String::isEmpty);
    boolean needsTerrace =
        site.get(EntryKeys.REGION_SERVER_CLASS).isPresent()
            || EntryKeys.of(site).contains(EntryKeys.COPROCESSOR);
    return new Examination(facts, findings, needsTerrace);
  }

  /** What a region finds that moves to the server. */
  private static String warming(SiteFile site, TerraceSettings settings) {
    if (EntryKeys.isExternal(site)) {
      return "none: as the external cache Terrace leaves regions cold that move";
    }
    long rate = settings.get(TerraceSettings.WARM_RATE);
    return rate == 0
        ? "none: " + TerraceSettings.WARM_RATE.key() + "=0, so regions that move are cold"
        : "regions that move, at up to " + ByteSize.readable(rate) + "/s of HBase's store";
  }

  private static String user(String name) {
    return name.equals("root")
        ? name
            + ", for whom the owners of the paths are checked: run it as the region server's user"
        : name;
  }

  /** Adds a fact for memory, each tier and each path. */
  private static void addTiers(
      TerraceSettings settings, JvmSizes sizes, MachineMemory memory, Map<String, String> facts) {
    facts.put(
        "heap",
        sizes.heap()
            + "; bookkeeping of full tiers takes about "
            + ByteSize.readable(MemoryCheck.heapBytes(settings)));
    facts.put(
        "direct memory",
        sizes.direct() + "; the tiers take " + ByteSize.readable(settings.directMemoryBytes()));
    if (settings.dramSizeBytes() > 0) {
      facts.put("dram", ByteSize.readable(settings.dramSizeBytes()));
    }
    addTier("pmem", settings.pmem(), "", facts);
    long pageCacheBytes = memory.pageCacheBytes(sizes.heap().bytes(), sizes.direct().bytes());
    boolean isDirect =
        settings.get(TerraceSettings.SSD_DIRECT).isDirect(settings.dramSizeBytes(), pageCacheBytes);
    addTier("ssd", settings.ssd(), isDirect ? ", direct I/O" : ", through the page cache", facts);
  }

  private static void addTier(
      String name, TierSpace tier, String access, Map<String, String> facts) {
    if (!tier.isConfigured()) {
      return;
    }
    facts.put(name, ByteSize.readable(tier.sizeBytes()) + access);
    tier.paths().forEach(path -> facts.put("  " + path, describe(path)));
  }

  private static String describe(Path path) {
    if (!Files.exists(path)) {
      return Files.notExists(path) ? "absent" : "cannot be looked at";
    }
    try {
      Mount mount = Mounts.ofThisSystem().of(path);
      Optional<PathHolder> holder = holder(path);
      return mount.type()
          + (mount.isDax() ? " with DAX" : "")
          + " on "
          + mount.source()
          + ", "
          + ByteSize.readable(Files.getFileStore(path).getUsableSpace())
          + " free"
          + holder
              .map(found -> ", in use by " + found + ", which must end before the start")
              .orElse("");
    } catch (IOException e) {
      return "cannot be read: " + e;
    }
  }

  private static void checkIsThere(Path conf) throws UnreadableConfException {
    if (!Files.isDirectory(conf)) {
      throw new UnreadableConfException(
          conf
              + (Files.exists(conf)
                  ? " is not a folder"
                  : Files.notExists(conf)
                      ? " does not exist"
                      : " cannot be looked at: this user may not enter a folder above it"));
    }
    if (!Files.exists(conf.resolve(SITE))) {
      throw new UnreadableConfException(conf + " has no " + SITE);
    }
  }

  /** Reads what HBase reads, in its order. */
  private static SiteFile site(
      Path conf, Optional<HBaseHome> home, EnvScript script, JvmSizes sizes)
      throws UnreadableConfException {
    Map<String, String> properties = new HashMap<>(sizes.systemProperties());
    home.ifPresent(found -> properties.putAll(found.systemProperties(script)));
    boolean isOnHadoop2 = home.flatMap(HBaseHome::isOnHadoop2).orElse(false);
    SiteFile site =
        new SiteFile(
            properties, isOnHadoop2 ? Optional.empty() : Optional.of(script.environment()));
    if (home.isPresent()) {
      home.get().readHadoopDefaults(site);
    }
    Path core = conf.resolve("core-site.xml");
    if (Files.exists(core)) {
      site.read(core);
    }
    if (home.isPresent()) {
      home.get().readDefaults(site);
    }
    site.read(conf.resolve(SITE));
    return site;
  }

  private static Optional<HBaseHome> home(Path conf, Optional<Path> named, EnvScript script)
      throws UnreadableConfException {
    if (named.isPresent()) {
      Optional<HBaseHome> home = HBaseHome.of(List.of(named.get()));
      if (home.isEmpty()) {
        throw new UnreadableConfException(named.get() + " has no lib/hbase-server-VERSION.jar");
      }
      return home;
    }
    List<Path> near = near(conf);
    script.get("HBASE_HOME").map(Path::of).ifPresent(home -> near.add(0, home));
    return HBaseHome.of(near);
  }

  private static List<Path> near(Path conf) {
    List<Path> near = new ArrayList<>();
    Optional.ofNullable(System.getenv("HBASE_HOME")).map(Path::of).ifPresent(near::add);
    near.add(conf.resolve("..").normalize());
    return near;
  }

  private static Finding unknownHome() {
    return Finding.question(
        "HBase's folder is not found",
        "Its jars have the classes that the configuration names, and the values that it does not"
            + " set.",
        "name it with --hbase");
  }

  /** An error about a variable may be none: HBase's own values are not known. */
  private static Finding asQuestion(Finding error) {
    return error.what().contains("${")
        ? Finding.question(error.what(), "HBase's own values are not known.", error.remedy())
        : error;
  }

  /** What only the files show: a server that runs has read them. */
  private static List<Finding> ofSite(SiteFile site, List<Finding> sofar) {
    List<Finding> findings = new ArrayList<>();
    if (EntryKeys.of(site).isEmpty() && sofar.stream().noneMatch(Finding::isError)) {
      findings.add(
          Finding.warning(
              "no property makes Terrace the block cache",
              "The region server starts without it, unless its own class calls Terrace.install.",
              "set hbase.regionserver.impl to dev.terrace.hbase.TerraceRegionServer, or another"
                  + " entry point"));
    }
    for (String include : site.includes()) {
      findings.add(
          Finding.question(
              "the configuration includes " + include,
              "HBase reads that file, and doctor does not: a setting in it is not checked.",
              "write its properties into " + SITE + " for the check, or compare them by hand"));
    }
    for (String key : site.twice()) {
      findings.add(
          Finding.warning(
              key + " has two values in one file",
              "HBase takes the last one, or the first that is final: "
                  + site.get(key, "none")
                  + ".",
              "remove one of them"));
    }
    return findings;
  }

  /** The processes that have a path open: one of them may be the server that is to be restarted. */
  private static List<Finding> ofHolders(TerraceSettings settings, Path conf) {
    List<Finding> findings = new ArrayList<>();
    Stream.concat(settings.pmem().paths().stream(), settings.ssd().paths().stream())
        .forEach(
            path ->
                holder(path)
                    .filter(holder -> !holder.runsWith(conf))
                    .ifPresent(
                        holder ->
                            findings.add(
                                Finding.question(
                                    path + " is in use by " + holder,
                                    "One server alone can use a path. That one has another"
                                        + " configuration, or hides it.",
                                    "stop it before the start if it is the one to be restarted, or"
                                        + " else name another path"))));
    return findings;
  }

  /** The server asks its provider for a key; doctor has none of HBase's classes. */
  private static List<Finding> ofEncryption(TerraceSettings settings, SiteFile site) {
    DeviceEncryption encryption = settings.get(TerraceSettings.ENCRYPTION);
    Optional<String> provider = site.get("hbase.crypto.keyprovider");
    return encryption == DeviceEncryption.NONE || !settings.hasLastingTier() || provider.isEmpty()
        ? List.of()
        : List.of(
            Finding.question(
                TerraceSettings.ENCRYPTION.with(encryption) + " needs HBase's master key",
                "The server does not start if " + provider.get() + " does not give it.",
                "see that families of this cluster are encrypted with it already"));
  }

  private static Optional<PathHolder> holder(Path path) {
    try {
      OptionalLong pid = CacheFolder.holder(path);
      return pid.isPresent() ? Optional.of(PathHolder.of(pid.getAsLong())) : Optional.empty();
    } catch (IOException e) {
      // The check of the paths reports it.
      return Optional.empty();
    }
  }

  /** How many findings are as bad. */
  public long count(Finding.Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }
}
