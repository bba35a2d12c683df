// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.diagnosis.WhyNotCached;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.LiveSettings;
import dev.terrace.hbase.settings.Texts;
import dev.terrace.tiered.Build;
import dev.terrace.tiered.plan.LiveCurves;
import dev.terrace.tiered.trace.TraceRecorder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The status of an instance: the log lines at start and end, and the JMX bean.
 *
 * @param entryPoint how it was installed
 * @param tiersAtStart with their sizes and paths
 * @param curves estimates for other sizes, if they are simulated
 */
public record TerraceStatus(
    String entryPoint,
    String tiersAtStart,
    LiveSettings settings,
    CachedFiles files,
    FamilyLookups lookups,
    WhyNotCached why,
    WarmCounters warmth,
    TraceRecorder traces,
    Optional<LiveCurves> curves)
    implements TerraceMXBean {

  private static final String BUILD = Build.suffix(TerraceStatus.class);

  /** Counters of cache-on-write and of region warm-up. */
  public record WarmCounters(
      Supplier<Map<String, Long>> ofCompactions,
      Supplier<Map<String, Long>> ofFlushes,
      Supplier<Map<String, Long>> ofRegions) {}

  /** The metrics of this moment. */
  public Metrics metrics(Instant now) {
    Map<String, Number> changes = new LinkedHashMap<>();
    changes.put("refused", (long) settings.outcome().get("refused").size());
    changes.put("waiting", (long) settings.outcome().get("waiting").size());
    return Metrics.of(
        now,
        why.tiers().stats(),
        why.tiers().moves(),
        getRegionWarmup(),
        lookups.requests(),
        why.copies().hits(),
        changes);
  }

  /** The version of this build of Terrace. */
  public static String version() {
    return new Texts(TerraceStatus.class, "terrace.properties").get("version");
  }

  /** The version and, in a jar, the build: two builds may have one version. */
  public static String build() {
    return version() + BUILD;
  }

  /** The log line at the end of the cache, with the figures of each tier. */
  public String endLine() {
    return "Terrace "
        + version()
        + " stops: "
        + why.tiers().stats().entrySet().stream()
            .map(entry -> summary(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining("; "));
  }

  private static String summary(String tier, TierStats stats) {
    long hits = stats.reads().hits().counted();
    long lookups = hits + stats.reads().misses();
    return String.format(
        Locale.ROOT,
        "%s %,d hits in %,d lookups%s, %,d blocks put, %,d refused, %,d resident with %s%s",
        tier,
        hits,
        lookups,
        lookups == 0
            ? ""
            : String.format(Locale.ROOT, " (%.1f %%)", 100 * stats.reads().hitRatio()),
        stats.writes().puts(),
        stats.events().refusals().values().stream().mapToLong(Long::longValue).sum(),
        stats.space().blocks(),
        ByteSize.readable(stats.space().payloadBytes()),
        stats.events().faults().isEmpty()
            ? ""
            : ", faults " + new TreeMap<>(stats.events().faults()));
  }

  @Override
  public String getVersion() {
    return version();
  }

  @Override
  public Map<String, String> getLastSettingsChange() {
    Map<String, String> texts = new LinkedHashMap<>();
    settings.outcome().forEach((part, all) -> texts.put(part, String.join("; ", all)));
    return texts;
  }

  @Override
  public String getEntryPoint() {
    return entryPoint;
  }

  @Override
  public String getStartLine() {
    return "Terrace %s serves HBase's block cache (entry point: %s): %s"
        .formatted(build(), entryPoint, tiersAtStart);
  }

  @Override
  public Map<String, String> getSettings() {
    return settings.current().asMap();
  }

  @Override
  public Map<String, Map<String, Double>> getMetrics() {
    Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
    metrics(Instant.now())
        .figures()
        .forEach(
            (of, named) -> {
              Map<String, Double> values = new LinkedHashMap<>();
              named.forEach((name, value) -> values.put(name, value.doubleValue()));
              figures.put(of, values);
            });
    return figures;
  }

  @Override
  public Map<String, Map<String, String>> getPaths() {
    Map<String, Map<String, String>> paths = new LinkedHashMap<>();
    why.tiers()
        .stats()
        .forEach(
            (tier, stats) ->
                stats.paths().forEach(path -> paths.put(path.path(), state(tier, path.now()))));
    return paths;
  }

  private static Map<String, String> state(String tier, PathStats.Condition now) {
    return Map.of(
        "tier", tier,
        "state", now.state().name(),
        "since", now.since().truncatedTo(ChronoUnit.SECONDS).toString(),
        "why", now.why());
  }

  @Override
  public Map<String, Map<String, Long>> cachedRegions(int limit) {
    return largestOfEach(files.regionsByTier(), limit);
  }

  @Override
  public Map<String, Map<String, Long>> cachedTables(int limit) {
    return largestOfEach(files.tablesByTier(), limit);
  }

  @Override
  public Map<String, Map<String, Long>> cachedFiles(int limit) {
    return largestOfEach(files.filesByTier(), limit);
  }

  @Override
  public Map<String, Map<String, Long>> lookupsByTable(int limit) {
    return largestSums(lookups.byTable(), limit);
  }

  @Override
  public Map<String, Map<String, Long>> lookupsByFamily(int limit) {
    return largestSums(lookups.byFamily(), limit);
  }

  @Override
  public Map<String, Map<String, Long>> storeRequestsByTable(int limit) {
    return largestSums(lookups.requestsByTable(), limit);
  }

  /** As {@link #getStoreRequestsByTable}, of all tables. */
  public Map<String, Map<String, Long>> storeRequests() {
    return lookups.requestsByTable();
  }

  @Override
  public Map<String, Map<String, Map<String, Long>>> getTableShares() {
    return why.shares().get();
  }

  @Override
  public Map<String, Long> getCompactionCaching() {
    return warmth.ofCompactions.get();
  }

  @Override
  public Map<String, Long> getFlushCaching() {
    return warmth.ofFlushes.get();
  }

  @Override
  public Map<String, Long> getRegionWarmup() {
    return warmth.ofRegions.get();
  }

  @Override
  public Map<String, Map<String, Double>> getWhatIf() {
    return curves.map(LiveCurves::outlook).orElse(Map.of());
  }

  @Override
  public String whyNotCached(String name) {
    return why.answer(name);
  }

  @Override
  public String getTrace() {
    return traces.status();
  }

  @Override
  public String startTrace(
      String folder, int oneIn, int maxMegabytes, int maxSeconds, boolean withTables)
      throws IOException {
    return traces
        .start(
            new TraceRecorder.Options(Path.of(folder), oneIn, maxMegabytes, maxSeconds, withTables))
        .toString();
  }

  @Override
  public String stopTrace() {
    traces.stop();
    return traces.status();
  }

  /** The largest entries, in descending order. */
  private static <V> Map<String, V> largest(Map<String, V> all, int limit, ToLongFunction<V> size) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit=" + limit + ": use a number from 1");
    }
    Map<String, V> largest = new LinkedHashMap<>();
    all.entrySet().stream()
        .sorted(
            Comparator.comparing(
                    (Map.Entry<String, V> entry) -> -size.applyAsLong(entry.getValue()))
                .thenComparing(Map.Entry::getKey))
        .limit(limit)
        .forEach(entry -> largest.put(entry.getKey(), entry.getValue()));
    return largest;
  }

  /** The largest entries of each tier. */
  private static Map<String, Map<String, Long>> largestOfEach(
      Map<String, Map<String, Long>> byTier, int limit) {
    Map<String, Map<String, Long>> largest = new LinkedHashMap<>();
    byTier.forEach((tier, all) -> largest.put(tier, largest(all, limit, Long::longValue)));
    return largest;
  }

  /** The entries with the largest sums. */
  private static Map<String, Map<String, Long>> largestSums(
      Map<String, Map<String, Long>> all, int limit) {
    return largest(all, limit, of -> of.values().stream().mapToLong(Long::longValue).sum());
  }
}
