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
package dev.terrace.hbase.page;

import dev.terrace.api.TierStats;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.TextTable;
import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.hbase.why.SickDevices;
import dev.terrace.tiered.MoveOutcome;
import dev.terrace.tiered.MoveStats;
import dev.terrace.tiered.TieredCache;
import dev.terrace.tiered.plan.LiveCurves.LiveOutlook;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Writes the status page from the figures as they are now. Thread-safe. */
final class StatusText {

  /** Rows of a list, unless more are asked for. */
  static final int ROWS = 20;

  /** The parameter with the name that is asked for. */
  static final String WHY = "why";

  private static final int MOST_FILES = 10_000;
  private static final int ALL = Integer.MAX_VALUE;
  private static final String MISSES = "misses";

  /** Ten minutes. A line of few samples stands to the right. */
  private static final int LEAST_WIDTH = 60;

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>Terrace</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <link href="/static/css/bootstrap.min.css" rel="stylesheet">
      <link href="/static/css/hbase.css" rel="stylesheet">
      <link href="/static/favicon.ico" rel="icon">
      <style>
      body { padding: 1em; }
      h2 { margin-top: 1.2em; }
      td, th { white-space: nowrap; text-align: right; }
      td:first-child, th:first-child { text-align: left; }
      table.table { width: auto; }
      .table-responsive { overflow-x: auto; }
      figure { display: inline-block; margin: 0 2em 1em 0; }
      svg { width: 20em; height: 5em; border: 1px solid #ccc; }
      path { fill: none; vector-effect: non-scaling-stroke; }
      .half { stroke: #ddd; }
      .line { stroke: #b5121b; stroke-width: 1.5; }
      form { margin-bottom: 1em; }
      input { max-width: 100%; }
      .settings td { white-space: normal; overflow-wrap: anywhere; }
      </style></head><body><div class="container-fluid">
      <p><a href="/rs-status">Region server</a> · <a href="/jmx?qry=dev.terrace:*">JMX</a></p>
      <h1>Terrace</h1>
      """;

  private static final String END = "</div></body></html>\n";

  private final TerraceMXBean bean;
  private final TieredCache<?> tiers;
  private final Configuration conf;
  private final TierHistory history;

  StatusText(TerraceMXBean bean, TieredCache<?> tiers, Configuration conf, TierHistory history) {
    this.bean = bean;
    this.tiers = tiers;
    this.conf = conf;
    this.history = history;
  }

  /**
   * The whole page.
   *
   * @param rows how many tables, families or files a list has at most, from 1
   */
  String html(int rows) {
    Map<String, TierStats> stats = tiers.stats();
    Html page = new Html();
    page.paragraph(bean.getStartLine());
    page.paragraph(
        "As of " + Instant.now().truncatedTo(ChronoUnit.SECONDS) + ". All counts since the start.");
    question(page, "");
    tiers(page, stats);
    overTime(page, stats);
    whatIf(page, bean.getWhatIf());
    moves(page);
    reasons(page, stats);
    lookups(page, "Tables by lookups", "table", bean.lookupsByTable(ALL), rows);
    lookups(page, "Column families by lookups", "family", bean.lookupsByFamily(ALL), rows);
    bytes(page, "Tables by cached bytes", "table", bean.cachedTablesByTier(ALL), rows);
    Map<String, Map<String, Long>> files = bean.cachedFilesByTier(Math.min(rows, MOST_FILES));
    bytes(page, "Files by cached bytes", "file", files, rows);
    shares(page);
    settings(page);
    return HEAD + page + END;
  }

  /** The form that asks, for this page and for the status page. */
  private static void question(Html page, String name) {
    page.question("Why is this not cached? File, table, or table and family:", WHY, name);
  }

  /**
   * The page that answers why something is not cached.
   *
   * @param answer sentences, one a line; then, after an empty line, tables
   */
  static String why(String name, String answer) {
    Html page = new Html();
    question(page, name);
    int tables = answer.indexOf("\n\n");
    String sentences = tables < 0 ? answer : answer.substring(0, tables);
    sentences.lines().forEach(page::paragraph);
    if (tables >= 0) {
      page.preformatted(answer.substring(tables).stripLeading());
    }
    return HEAD + page + END;
  }

  private static void tiers(Html page, Map<String, TierStats> stats) {
    List<List<String>> rows = new ArrayList<>();
    stats.forEach(
        (name, tier) ->
            rows.add(
                List.of(
                    name,
                    readable(tier.space().capacityBytes()),
                    readable(tier.space().usedBytes()),
                    percent(tier.space().usedBytes(), tier.space().capacityBytes()),
                    TextTable.count(tier.space().blocks()),
                    TextTable.count(tier.reads().hits().counted()),
                    TextTable.count(tier.reads().misses()),
                    percent(
                        tier.reads().hits().counted(),
                        tier.reads().hits().counted() + tier.reads().misses()),
                    micros(tier.reads().hitNanos().p50()),
                    micros(tier.reads().hitNanos().p99()),
                    readable(tier.writes().putBytes()),
                    String.format(Locale.ROOT, "%.2f", tier.writes().compressionRatio()),
                    readable(tier.writes().rewrittenBytes()))));
    page.section("Tiers")
        .table(
            List.of(
                "tier",
                "size",
                "used",
                "fill",
                "blocks",
                "hits",
                "misses",
                "hit ratio",
                "p50, us",
                "p99, us",
                "put",
                "times smaller",
                "rewritten"),
            rows);
    stats.forEach((name, tier) -> SickDevices.of(name, tier).forEach(page::paragraph));
  }

  private void overTime(Html page, Map<String, TierStats> stats) {
    page.section("Over time")
        .paragraph("From 0 to 100 %, for up to three hours; hit ratios are those of a minute.");
    for (String tier : stats.keySet()) {
      line(page, tier + ": fill", history.fill(tier));
      line(page, tier + ": hit ratio", history.hitRatio(tier));
    }
  }

  private static void line(Html page, String name, List<Double> values) {
    double last = values.isEmpty() ? Double.NaN : values.get(values.size() - 1);
    String caption = name + ", now " + (Double.isNaN(last) ? "-" : percent(last));
    page.figure(caption, values, Math.max(values.size(), LEAST_WIDTH));
  }

  private static void whatIf(Html page, Map<String, Map<String, Double>> outlooks) {
    Map<String, Double> sample = outlooks.get(LiveOutlook.SAMPLE);
    if (sample == null) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    outlooks.forEach(
        (size, figures) -> {
          if (figures != sample) {
            rows.add(
                List.of(
                    size,
                    readable(figures.get("sizeBytes").longValue()),
                    percent(figures.get("hitRatio")),
                    readable(figures.get("ssdBytesADay").longValue())));
          }
        });
    page.section("What if a tier had another size?")
        .paragraph(
            String.format(
                Locale.ROOT,
                "Simulated on 1 block in %,.0f, for the last %s. Accesses lost: %,.0f. One"
                    + " tier changes at a time.",
                sample.get("oneBlockIn"),
                period(sample.get("seconds")),
                sample.get("lostAccesses")))
        .table(List.of("tier", "size", "hit ratio of all tiers", "written to SSD a day"), rows);
  }

  private static String period(double seconds) {
    return seconds < 3600
        ? String.format(Locale.ROOT, "%.1f minutes", seconds / 60)
        : String.format(Locale.ROOT, "%.1f hours", seconds / 3600);
  }

  private void moves(Html page) {
    List<List<String>> rows = new ArrayList<>();
    for (MoveStats move : tiers.moves()) {
      for (MoveOutcome outcome : MoveOutcome.values()) {
        long blocks = move.blocks().getOrDefault(outcome, 0L);
        if (blocks > 0) {
          rows.add(
              List.of(
                  move.from() + " to " + move.to(),
                  outcome.name(),
                  TextTable.count(blocks),
                  outcome == MoveOutcome.MOVED ? readable(move.bytes()) : ""));
        }
      }
    }
    page.section("Moves between tiers")
        .table(List.of("from and to", "outcome", "blocks", "bytes"), rows);
  }

  private static void reasons(Html page, Map<String, TierStats> stats) {
    List<List<String>> rows = new ArrayList<>();
    stats.forEach(
        (name, tier) -> {
          reasons(rows, name, "refused", tier.events().refusals());
          reasons(rows, name, "evicted", tier.events().evictions());
          reasons(rows, name, "trouble", tier.events().troubles());
        });
    page.section("What was refused, what left, and troubles")
        .table(List.of("tier", "what", "why", "count"), rows);
  }

  private static void reasons(
      List<List<String>> rows, String tier, String what, Map<? extends Enum<?>, Long> counts) {
    counts.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .sorted(Comparator.comparing(entry -> entry.getKey().name()))
        .forEach(
            entry ->
                rows.add(
                    List.of(tier, what, entry.getKey().name(), TextTable.count(entry.getValue()))));
  }

  private void lookups(
      Html page, String title, String group, Map<String, Map<String, Long>> lookups, int most) {
    List<String> names = List.copyOf(tiers.stats().keySet());
    List<String> titles = new ArrayList<>(List.of(group, "lookups", "hit ratio"));
    names.forEach(tier -> titles.add("from " + tier));
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<String, Map<String, Long>> entry : largest(lookups, most)) {
      Map<String, Long> of = entry.getValue();
      long all = sum(of);
      List<String> row = new ArrayList<>();
      row.add(entry.getKey());
      row.add(TextTable.count(all));
      row.add(percent(all - of.getOrDefault(MISSES, 0L), all));
      names.forEach(tier -> row.add(percent(of.getOrDefault(tier, 0L), all)));
      rows.add(row);
    }
    page.section(title)
        .paragraph("Hits are estimated from a sample; misses are counted." + more(lookups, most))
        .table(titles, rows);
  }

  private static void bytes(
      Html page, String title, String group, Map<String, Map<String, Long>> bytesByTier, int most) {
    Map<String, Map<String, Long>> byGroup = byGroup(bytesByTier);
    List<String> titles = new ArrayList<>(List.of(group));
    titles.addAll(bytesByTier.keySet());
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<String, Map<String, Long>> entry : largest(byGroup, most)) {
      List<String> row = new ArrayList<>(List.of(entry.getKey()));
      bytesByTier
          .keySet()
          .forEach(tier -> row.add(readable(entry.getValue().getOrDefault(tier, 0L))));
      rows.add(row);
    }
    page.section(title)
        .paragraph("A block may be in several tiers." + more(byGroup, most))
        .table(titles, rows);
  }

  private static Map<String, Map<String, Long>> byGroup(Map<String, Map<String, Long>> byTier) {
    Map<String, Map<String, Long>> byGroup = new HashMap<>();
    byTier.forEach(
        (tier, groups) ->
            groups.forEach(
                (group, bytes) ->
                    byGroup.computeIfAbsent(group, added -> new HashMap<>()).put(tier, bytes)));
    return byGroup;
  }

  /** The groups with the largest sums, the largest first. */
  private static List<Map.Entry<String, Map<String, Long>>> largest(
      Map<String, Map<String, Long>> groups, int most) {
    return groups.entrySet().stream()
        .sorted(
            Comparator.comparing(
                    (Map.Entry<String, Map<String, Long>> entry) -> -sum(entry.getValue()))
                .thenComparing(Map.Entry::getKey))
        .limit(most)
        .toList();
  }

  private static String more(Map<String, ?> groups, int most) {
    int more = groups.size() - most;
    return more > 0 ? " There are " + more + " more than these: add ?rows=1000." : "";
  }

  private static long sum(Map<String, Long> values) {
    return values.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String readable(long bytes) {
    return ByteSize.readable(bytes);
  }

  private static String micros(double nanos) {
    return Double.isNaN(nanos) ? "–" : String.format(Locale.ROOT, "%,.1f", nanos / 1e3);
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "-" : percent(part / (double) whole);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private void shares(Html page) {
    List<List<String>> rows = new ArrayList<>();
    bean.getTableShares()
        .forEach(
            (tier, tables) ->
                tables.forEach(
                    (table, of) ->
                        rows.add(
                            List.of(
                                table,
                                tier,
                                readable(of.get("min")),
                                readable(of.get("max")),
                                readable(of.get("bytes"))))));
    page.section("Tables and families with a share")
        .paragraph("Set by hbase.terrace.tables.*; a file's table is known ten seconds after it.")
        .table(List.of("table or family", "tier", "keeps", "may have", "has"), rows);
  }

  private void settings(Html page) {
    List<List<String>> rows = new ArrayList<>();
    bean.getSettings().forEach((key, value) -> rows.add(List.of(key, value, origin(key))));
    page.section("Settings").table(List.of("key", "value", "from"), rows);
  }

  private String origin(String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null ? "default" : sources[sources.length - 1];
  }
}
