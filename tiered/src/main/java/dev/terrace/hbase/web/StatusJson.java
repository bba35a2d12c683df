// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import dev.terrace.api.HitRecorder;
import dev.terrace.api.PathStats;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.status.FamilyLookups;
import dev.terrace.hbase.status.Metrics;
import dev.terrace.hbase.status.TerraceMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;

/**
 * The page's data as JSON: {@link #status} is computed on each call, {@link #lists} has what takes
 * longer. Thread-safe.
 *
 * @param known finds the tables and regions of files
 * @param conf names the sources of the settings
 */
record StatusJson(
    TerraceMXBean bean,
    FileCatalog known,
    Configuration conf,
    FamilyLookups lookups,
    History history,
    Verdict verdict,
    Instant start) {

  /** Leaves unknown values out, and does not escape for HTML, since nothing reads this as HTML. */
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  /** Samples the metrics, and judges them, so that a change of the verdict gets its date. */
  void sample(Instant now) {
    history.sample(now);
    verdict(history.now(now));
  }

  private Map<String, Object> verdict(Metrics now) {
    return verdict.of(
        history.before(now, History.QUARTER), history.before(now, History.MINUTE), now);
  }

  /** The verdict, current figures and paths, those of a minute ago, and the readers that miss. */
  String status(Instant time) {
    Metrics now = history.now(time);
    Metrics before = history.before(now, History.MINUTE);
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("startLine", bean.getStartLine());
    status.put("start", History.iso(start));
    status.put("time", History.iso(time));
    status.put("verdict", verdict(now));
    status.put("tiers", List.copyOf(now.paths().keySet()));
    status.put("figures", now.figures());
    status.put("paths", paths(now));
    double seconds = Math.max(1, Duration.between(before.at(), now.at()).toMillis() / 1e3);
    status.put(
        "before", Map.of("seconds", seconds, "figures", before.figures(), "paths", paths(before)));
    status.put("missesSince", History.iso(lookups.recentSince()));
    status.put("misses", lookups.recentMisses());
    return GSON.toJson(status);
  }

  /**
   * Tables, families and files; hits and misses over time; other sizes; region moves; settings.
   *
   * @param rows the maximum number of tables, families or files in a list, from 1
   */
  String lists(int rows) {
    Map<String, Object> lists = new LinkedHashMap<>();
    lists.put("rows", rows);
    lists.put("hitsPerSample", HitRecorder.HITS_PER_SAMPLE);
    lists.put("lines", history.lines());
    lists.put("whatIf", bean.getWhatIf());
    lists.put("lookupsByTable", bean.lookupsByTable(rows));
    lists.put("lookupsByFamily", bean.lookupsByFamily(rows));
    lists.put("storeRequestsByTable", bean.storeRequestsByTable(rows));
    lists.put("cachedTables", bean.cachedTables(rows));
    Map<String, Map<String, Long>> files = bean.cachedFiles(rows);
    lists.put("cachedFiles", files);
    Map<String, List<String>> owners = new TreeMap<>();
    files.values().forEach(of -> of.keySet().forEach(file -> owners.put(file, owners(file))));
    lists.put("owners", owners);
    lists.put("tableShares", bean.getTableShares());
    lists.put("lastFaults", history.lastFaults());
    lists.put("regionWarmup", bean.getRegionWarmup());
    lists.put("settings", settings());
    return GSON.toJson(lists);
  }

  /** The figures and states of the paths. */
  private static List<Map<String, Object>> paths(Metrics metrics) {
    List<Map<String, Object>> paths = new ArrayList<>();
    metrics.paths().forEach((tier, all) -> all.forEach(path -> paths.add(path(tier, path))));
    return paths;
  }

  private static Map<String, Object> path(String tier, PathStats path) {
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("tier", tier);
    named.put("path", path.path());
    named.put("state", path.now().state().name());
    named.put("words", path.now().state().words());
    named.put("since", History.iso(path.now().since()));
    named.put("why", path.now().why());
    named.putAll(Metrics.ofPath(path));
    return named;
  }

  private List<String> owners(String file) {
    return known.owners(known.find(file)).stream()
        .map(
            owner ->
                owner.table() == null
                    ? owner.region()
                    : owner.table() + " " + owner.family() + ", " + owner.region())
        .toList();
  }

  private Map<String, Map<String, String>> settings() {
    Map<String, Map<String, String>> settings = new TreeMap<>();
    bean.getSettings()
        .forEach((key, value) -> settings.put(key, Map.of("value", value, "from", origin(key))));
    return settings;
  }

  private String origin(String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null ? "default" : sources[sources.length - 1];
  }
}
