// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import dev.terrace.hbase.preflight.EntryKeys;
import dev.terrace.hbase.preflight.MemoryCheck;
import dev.terrace.hbase.preflight.ServerProcess;
import dev.terrace.hbase.preflight.StartChecks;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * What a region server's start would be like: versions, memory, tiers and the disks of the paths.
 */
final class StartFacts {

  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String LABELS = HBASE + "security.visibility.VisibilityController";
  private static final String LABEL_SERVICE = "hbase.regionserver.visibility.label.service.class";

  private final StartChecks checks;
  private final TerraceSettings settings;
  private final Map<String, String> byName = new LinkedHashMap<>();

  StartFacts(SiteValues site, StartChecks checks, ServerProcess process, Path folder) {
    this.checks = checks;
    this.settings = checks.settings();
    byName.put("configuration", folder.resolve("hbase-site.xml").toString());
    byName.put("entry point", String.join(", ", EntryKeys.of(site)));
    byName.put("HBase", VersionInfo.getVersion() + ", in " + System.getProperty("hbase.home.dir"));
    byName.put("Java", Runtime.version() + ", in " + System.getProperty("java.home"));
    byName.put("user", user(System.getProperty("user.name")));
    addTiers(process);
    byName.put("warming", warming(EntryKeys.isExternal(site)));
    byName.put("copies", copies(site));
    byName.put("memory", checks.memory().toString());
    byName.values().removeIf(String::isEmpty);
  }

  /** The facts by name, in the order in which they are read best. */
  Map<String, String> byName() {
    return byName;
  }

  /** The coprocessors for which hits are copied to the heap, in all tables; empty without any. */
  static String copies(SiteValues site) {
    List<String> loaded =
        Stream.of("hbase.coprocessor.region.classes", "hbase.coprocessor.user.region.classes")
            .flatMap(key -> EntryKeys.classes(site, key).stream())
            .toList();
    Stream<String> services =
        loaded.contains(LABELS) ? EntryKeys.classes(site, LABEL_SERVICE).stream() : Stream.empty();
    String foreign =
        Stream.concat(loaded.stream(), services)
            .filter(name -> !name.startsWith(HBASE))
            .distinct()
            .collect(Collectors.joining(", "));
    return foreign.isEmpty()
        ? ""
        : "of each hit of a data block, if it observes regions: " + foreign;
  }

  /** How regions that move to the server are warmed. */
  private String warming(boolean isExternal) {
    if (isExternal) {
      return "none: as the external cache, Terrace does not warm regions that move";
    }
    long rate = settings.get(TerraceSettings.WARM_RATE).bytesPerSecond();
    return rate == 0
        ? "none: " + TerraceSettings.WARM_RATE.key() + "=0, so regions that move are cold"
        : "regions that move, at up to " + ByteSize.readable(rate) + "/s of HBase's store";
  }

  private static String user(String name) {
    return name.equals("root")
        ? name + ", whose rights to the paths are checked: run doctor as the region server's user"
        : name;
  }

  /** Adds a fact for memory, each tier and each path. */
  private void addTiers(ServerProcess process) {
    byName.put(
        "heap",
        ServerJvm.text(process.heapBytes())
            + "; bookkeeping of full tiers takes about "
            + ByteSize.readable(MemoryCheck.heapBytes(settings)));
    byName.put(
        "direct memory",
        ServerJvm.text(process.directMemoryLimitBytes())
            + "; the tiers take "
            + ByteSize.readable(settings.directMemoryBytes()));
    if (settings.dramSizeBytes() > 0) {
      byName.put("dram", ByteSize.readable(settings.dramSizeBytes()));
    }
    addTier("pmem", settings.pmem(), "");
    boolean isDirect =
        settings
            .get(TerraceSettings.SSD_DIRECT)
            .isDirect(settings.dramSizeBytes(), process.pageCacheBytes());
    addTier("ssd", settings.ssd(), isDirect ? ", direct I/O" : ", through the page cache");
  }

  private void addTier(String name, TierSpace tier, String access) {
    if (!tier.isConfigured()) {
      return;
    }
    byName.put(name, tier.size() + access);
    for (Path path : tier.paths()) {
      byName.put(
          "  " + path,
          checks.paths().isSilent(path)
              ? "does not respond"
              : describe(path, checks.paths().isOnDax(path)));
    }
  }

  private static String describe(Path path, boolean isOnDax) {
    if (!Files.exists(path)) {
      return Files.notExists(path) ? "absent" : "cannot be checked";
    }
    try {
      FileStore store = Files.getFileStore(path);
      return store.type()
          + (isOnDax ? " with DAX" : "")
          + " on "
          + store.name()
          + ", "
          + ByteSize.readable(store.getUsableSpace())
          + " free"
          + PathHolder.of(path)
              .map(found -> ", in use by " + found + ", which must stop before the start")
              .orElse("");
    } catch (IOException e) {
      return "cannot be read: " + e;
    }
  }
}
