// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import com.sun.security.auth.module.UnixSystem;
import dev.terrace.hbase.preflight.EntryKeys;
import dev.terrace.hbase.preflight.MemoryCheck;
import dev.terrace.hbase.preflight.Mount;
import dev.terrace.hbase.preflight.PathContents;
import dev.terrace.hbase.preflight.ServerProcess;
import dev.terrace.hbase.preflight.StartChecks;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * How a region server would start with a configuration folder.
 *
 * @param facts facts about the start, by name
 * @param findings the errors first
 * @param needsTerrace whether the server does not start if Terrace does not
 */
record Examination(Map<String, String> facts, List<Finding> findings, boolean needsTerrace) {

  private static final int FIRST_JAVA_WITHOUT_HADOOP_2 = 24;
  private static final String BALANCER = "hbase.master.loadbalancer.class";
  private static final String PERSISTENT_PATH = "hbase.bucketcache.persistent.path";

  /**
   * Runs the checks of a start, and of what a running server cannot see. Changes nothing.
   *
   * @param conf the configuration that the region server would read
   * @param folder the folder of the configuration
   */
  static Examination of(Configuration conf, Path folder, ServerJvm jvm, ServerClasses classes)
      throws IOException {
    SiteValues site = new SiteValues(conf);
    ServerProcess process =
        new ServerProcess(
            jvm.heapBytes(),
            jvm.directBytes(),
            ServerProcess.machineBytes(),
            VersionInfo.getVersion());
    StartChecks checks = new StartChecks(site, process);

    List<Finding> findings = new ArrayList<>(checks.errors());
    jvm.refusal().ifPresent(findings::add);
    findings.addAll(classes.findings(site));
    findings.addAll(ofUser(new UnixSystem().getUsername()));
    findings.addAll(ofHadoop());
    findings.addAll(ofEntryPoint(site, findings));
    findings.addAll(ofBalancer(site));
    findings.addAll(ofHolders(checks, folder));
    findings.addAll(ofEncryption(checks.settings(), site));
    findings.addAll(ofContents(site, checks));
    findings.addAll(checks.warnings());
    findings.sort((a, b) -> a.severity().compareTo(b.severity()));

    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("configuration", folder.resolve("hbase-site.xml").toString());
    facts.put("entry point", String.join(", ", EntryKeys.of(site)));
    facts.put("HBase", VersionInfo.getVersion() + ", in " + System.getProperty("hbase.home.dir"));
    facts.put("Java", Runtime.version() + ", in " + System.getProperty("java.home"));
    facts.put("user", user(System.getProperty("user.name")));
    addTiers(checks, process, facts);
    facts.put("warming", warming(site, checks.settings()));
    facts.put("memory", checks.memory().toString());
    facts.values().removeIf(String::isEmpty);
    boolean needsTerrace =
        site.get(EntryKeys.REGION_SERVER_CLASS).isPresent()
            || EntryKeys.of(site).contains(EntryKeys.COPROCESSOR);
    return new Examination(facts, findings, needsTerrace);
  }

  /** How regions that move to the server are warmed. */
  private static String warming(SiteValues site, TerraceSettings settings) {
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
      StartChecks checks, ServerProcess process, Map<String, String> facts) {
    TerraceSettings settings = checks.settings();
    facts.put(
        "heap",
        ServerJvm.text(process.heapBytes())
            + "; bookkeeping of full tiers takes about "
            + ByteSize.readable(MemoryCheck.heapBytes(settings)));
    facts.put(
        "direct memory",
        ServerJvm.text(process.directMemoryLimitBytes())
            + "; the tiers take "
            + ByteSize.readable(settings.directMemoryBytes()));
    if (settings.dramSizeBytes() > 0) {
      facts.put("dram", ByteSize.readable(settings.dramSizeBytes()));
    }
    addTier("pmem", settings.pmem(), "", checks, facts);
    boolean isDirect =
        settings
            .get(TerraceSettings.SSD_DIRECT)
            .isDirect(settings.dramSizeBytes(), process.pageCacheBytes());
    addTier(
        "ssd",
        settings.ssd(),
        isDirect ? ", direct I/O" : ", through the page cache",
        checks,
        facts);
  }

  private static void addTier(
      String name, TierSpace tier, String access, StartChecks checks, Map<String, String> facts) {
    if (!tier.isConfigured()) {
      return;
    }
    facts.put(name, ByteSize.readable(tier.sizeBytes()) + access);
    tier.paths()
        .forEach(
            path ->
                facts.put("  " + path, checks.isSilent(path) ? "does not answer" : describe(path)));
  }

  private static String describe(Path path) {
    if (!Files.exists(path)) {
      return Files.notExists(path) ? "absent" : "cannot be looked at";
    }
    try {
      Mount mount = Mount.of(path);
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
                "Hadoop's login asks the system for it, and fails.",
                "give the id a line in /etc/passwd, or run the server as a user that has one"));
  }

  private static List<Finding> ofHadoop() {
    String hadoop = org.apache.hadoop.util.VersionInfo.getVersion();
    int java = Runtime.version().feature();
    return hadoop.startsWith("2.") && java >= FIRST_JAVA_WITHOUT_HADOOP_2
        ? List.of(
            Finding.error(
                "Java " + java + " with Hadoop " + hadoop,
                "Hadoop 2 uses what Java " + FIRST_JAVA_WITHOUT_HADOOP_2 + " has removed.",
                "set JAVA_HOME in hbase-env.sh to Java 17 or 21, or run HBase on Hadoop 3"))
        : List.of();
  }

  private static List<Finding> ofEntryPoint(SiteValues site, List<Finding> sofar) {
    if (EntryKeys.of(site).equals(List.of(EntryKeys.EXTERNAL_CACHE))
        && !EntryKeys.isExternal(site)) {
      return List.of(unused(site));
    }
    return EntryKeys.of(site).isEmpty() && sofar.stream().noneMatch(Finding::isError)
        ? List.of(
            Finding.warning(
                "no property makes Terrace the block cache",
                "The region server starts without it, unless its own class calls Terrace.install.",
                "set hbase.regionserver.impl to dev.terrace.hbase.TerraceRegionServer, or another"
                    + " entry point"))
        : List.of();
  }

  private static Finding unused(SiteValues site) {
    String key = EntryKeys.EXTERNAL_CACHE;
    String share = EntryKeys.HEAP_CACHE_SHARE;
    return site.isTrue(EntryKeys.USE_EXTERNAL)
        ? Finding.warning(
            key + " names Terrace, and " + share + " is 0",
            "HBase then makes no cache at all: it runs without Terrace.",
            "set " + share + " to what indexes and bloom filters take, such as 0.1")
        : Finding.warning(
            key + " names Terrace, and " + EntryKeys.USE_EXTERNAL + " is not true",
            "HBase ignores the class, and runs without Terrace.",
            "set " + EntryKeys.USE_EXTERNAL + " to true");
  }

  /** Which servers CacheAwareLoadBalancer takes for warm. It runs in the masters. */
  private static List<Finding> ofBalancer(SiteValues site) {
    if (site.get(BALANCER, "").endsWith("CacheAwareLoadBalancer")
        && site.get(PERSISTENT_PATH).isEmpty()) {
      return List.of(
          Finding.warning(
              BALANCER + "=" + site.get(BALANCER, "") + " without " + PERSISTENT_PATH,
              "The balancer then takes no cache for one that survives, and gives no region back to"
                  + " the server that has it cached.",
              "set " + PERSISTENT_PATH + " on the masters, to any path"));
    }
    return List.of();
  }

  /** The processes that have a path open. One of them may be the server to be restarted. */
  private static List<Finding> ofHolders(StartChecks checks, Path conf) {
    TerraceSettings settings = checks.settings();
    List<Finding> findings = new ArrayList<>();
    Stream.concat(settings.pmem().paths().stream(), settings.ssd().paths().stream())
        .filter(path -> !checks.isSilent(path))
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

  /** The server asks its key provider for the master key; doctor does not. */
  private static List<Finding> ofEncryption(TerraceSettings settings, SiteValues site) {
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

  /** Warns of blocks that the start discards. */
  private static List<Finding> ofContents(SiteValues site, StartChecks checks) {
    List<Finding> findings = new ArrayList<>();
    for (DeviceKind kind : DeviceKind.values()) {
      TerraceSettings settings = checks.settings();
      TierSpace space = kind == DeviceKind.PMEM ? settings.pmem() : settings.ssd();
      for (Path path : space.paths()) {
        if (checks.isSilent(path)) {
          continue;
        }
        try {
          ReadOnlyDevice.whyDiscarded(
                  space
                      .split()
                      .withContents(PathContents.text(site, settings), Optional.empty())
                      .spec(path, kind))
              .ifPresent(why -> findings.add(discarded(path, why)));
        } catch (IOException e) {
          // PathCheck reports it.
        }
      }
    }
    return findings;
  }

  private static Finding discarded(Path path, String why) {
    return Finding.warning(
        path + " is " + why,
        "The start discards the blocks that lie there: the tier begins cold.",
        "nothing, if that is meant; or go back to the version or the settings of before");
  }

  private static Optional<PathHolder> holder(Path path) {
    OptionalLong pid = ReadOnlyDevice.holder(path);
    return pid.isPresent() ? Optional.of(new PathHolder(pid.getAsLong())) : Optional.empty();
  }

  /** The number of findings of a severity. */
  long count(Finding.Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }

  /** A process that has a path of a cache open. */
  private record PathHolder(long pid) {

    private static final String CLASS_PATH = "CLASSPATH=";
    private static final int MAX_LETTERS = 100;

    /**
     * Whether it runs with a configuration folder: then it is the server to be restarted. The
     * launcher {@code bin/hbase} makes that folder the first entry of the class path.
     */
    boolean runsWith(Path folder) {
      Optional<String> conf =
          words("environ")
              .filter(word -> word.startsWith(CLASS_PATH))
              .map(word -> word.substring(CLASS_PATH.length()).split(":", 2)[0])
              .findFirst();
      try {
        return conf.isPresent() && Files.isSameFile(Path.of(conf.get()), folder);
      } catch (IOException e) {
        return false;
      }
    }

    private Stream<String> words(String file) {
      try {
        Path path = Path.of("/proc", Long.toString(pid), file);
        return Stream.of(Files.readString(path, StandardCharsets.ISO_8859_1).split("\0", -1))
            .filter(word -> !word.isEmpty());
      } catch (IOException e) {
        // The process is another user's, or has ended.
        return Stream.empty();
      }
    }

    /** Its class and arguments, and its id. */
    @Override
    public String toString() {
      String command =
          words("cmdline")
              .skip(1)
              .dropWhile(word -> word.startsWith("-"))
              .collect(Collectors.joining(" "));
      String shown =
          command.length() <= MAX_LETTERS ? command : command.substring(0, MAX_LETTERS) + "...";
      return (shown.isEmpty() ? "a process" : shown) + ", pid=" + pid;
    }
  }
}
