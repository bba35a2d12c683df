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
import dev.terrace.hbase.checks.ServerProcess;
import dev.terrace.hbase.checks.StartChecks;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TierSpace;
import dev.terrace.region.folder.CacheFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A region server that is to start with a folder of configuration.
 *
 * @param facts what its start would be like, by name
 * @param findings the errors first
 */
public record Examination(Map<String, String> facts, List<Finding> findings) {

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
    SiteFile site = site(conf);
    EnvScript script = EnvScript.read(conf.resolve("hbase-env.sh"));
    MachineMemory memory = MachineMemory.ofThisProcess();
    JvmSizes sizes = new JvmSizes(script, memory.bytes());
    JavaHome java = JavaHome.of(script);
    Optional<HBaseHome> home = home(conf, hbase, script);
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

    List<Finding> findings = new ArrayList<>(checks.errors());
    findings.addAll(sizes.findings());
    home.ifPresent(found -> findings.addAll(found.findings(script, java.feature())));
    findings.addAll(ofSite(site));
    findings.addAll(checks.warnings());
    findings.sort((a, b) -> a.severity().compareTo(b.severity()));

    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("configuration", conf.resolve(SITE).toString());
    facts.put("entry point", String.join(", ", EntryKeys.of(site)));
    facts.put("HBase", home.map(HBaseHome::toString).orElse("not found: name it with --hbase"));
    facts.put("Java", java.toString());
    facts.put("user", user(System.getProperty("user.name")));
    addTiers(checks.settings(), sizes, memory, facts);
    facts.put("memory", String.join("\n" + " ".repeat(15), checks.memory().lines()));
    facts.values().removeIf(String::isEmpty);
    return new Examination(facts, findings);
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
      return "absent";
    }
    try {
      Mount mount = Mounts.ofThisSystem().of(path);
      OptionalLong holder = CacheFolder.holder(path);
      return mount.type()
          + (mount.isDax() ? " with DAX" : "")
          + " on "
          + mount.source()
          + ", "
          + ByteSize.readable(Files.getFileStore(path).getUsableSpace())
          + " free"
          + (holder.isPresent()
              ? ", in use by pid=" + holder.getAsLong() + ", which must end before the start"
              : "");
    } catch (IOException e) {
      return "cannot be read: " + e;
    }
  }

  private static SiteFile site(Path conf) throws UnreadableConfException {
    if (!Files.isDirectory(conf)) {
      throw new UnreadableConfException(
          conf + (Files.exists(conf) ? " is not a folder" : " does not exist"));
    }
    if (!Files.exists(conf.resolve(SITE))) {
      throw new UnreadableConfException(conf + " has no " + SITE);
    }
    SiteFile site = new SiteFile();
    Path core = conf.resolve("core-site.xml");
    if (Files.exists(core)) {
      site.read(core);
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
    List<Path> near = new ArrayList<>();
    script.get("HBASE_HOME").map(Path::of).ifPresent(near::add);
    Optional.ofNullable(System.getenv("HBASE_HOME")).map(Path::of).ifPresent(near::add);
    near.add(conf.resolve("..").normalize());
    return HBaseHome.of(near);
  }

  /** What only the files show: a server that runs has read them. */
  private static List<Finding> ofSite(SiteFile site) {
    List<Finding> findings = new ArrayList<>();
    if (EntryKeys.of(site).isEmpty()) {
      findings.add(
          Finding.warning(
              "no property makes Terrace the block cache",
              "The region server starts without it, unless its own class calls Terrace.install.",
              "set hbase.regionserver.impl to dev.terrace.hbase.TerraceRegionServer, or another"
                  + " entry point"));
    }
    for (String include : site.includes()) {
      findings.add(
          Finding.warning(
              "the configuration includes " + include,
              "HBase reads that file, and doctor does not: a setting in it is not checked.",
              "write its properties into " + SITE + " for the check, or compare them by hand"));
    }
    return findings;
  }

  /** Whether the region server would not start. */
  public boolean isFatal() {
    return findings.stream().anyMatch(Finding::isError);
  }

  /**
   * The Java of a region server.
   *
   * @param folder its home
   * @param version as its file {@code release} has it; empty if that cannot be read
   */
  private record JavaHome(Path folder, Optional<String> version) {

    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"([^\"]+)\"");
    private static final Pattern FEATURE = Pattern.compile("(?:1\\.)?(\\d{1,4}).*");

    /** The one of a script, or of the environment, or the one that runs this. */
    static JavaHome of(EnvScript script) {
      String home =
          script
              .get("JAVA_HOME")
              .or(() -> Optional.ofNullable(System.getenv("JAVA_HOME")))
              .orElse(System.getProperty("java.home"));
      Path folder = Path.of(home);
      try (Stream<String> lines = Files.lines(folder.resolve("release"))) {
        return new JavaHome(
            folder,
            lines
                .map(VERSION::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .findFirst());
      } catch (IOException e) {
        return new JavaHome(folder, Optional.empty());
      }
    }

    /** The feature number, such as 17; 0 if it is unknown. */
    int feature() {
      Matcher matcher = FEATURE.matcher(version.orElse(""));
      return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    @Override
    public String toString() {
      return version.orElse("of unknown version") + ", in " + folder;
    }
  }
}
