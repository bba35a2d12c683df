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

import dev.terrace.api.HitRecorder;
import dev.terrace.api.Trouble;
import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.hbase.files.Owner;
import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.tiered.MoveOutcome;
import dev.terrace.tiered.MoveStats;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** Writes the lists of the page, each folded. */
final class Lists {

  private static final int MOST_FILES = 10_000;
  private static final int MORE_ROWS = 1_000;
  private static final int ALL = Integer.MAX_VALUE;
  private static final String MISSES = "misses";

  /** A share is shown if its standard error is less. */
  private static final double MOST_ERROR = 0.05;

  /** What sizes are written as where nobody wrote them. */
  private static final Pattern SIZE = Pattern.compile("hbase\\.terrace\\..*\\.(size|limit)");

  private static final Pattern NEXT_WORD = Pattern.compile("[A-Z]");

  private static final Pattern BYTES = Pattern.compile("[1-9][0-9]{0,17}");

  private final TerraceMXBean bean;
  private final Span minute;
  private final int rows;

  /**
   * The lists of now.
   *
   * @param rows how many tables, families or files a list has at most, from 1
   */
  Lists(TerraceMXBean bean, Span minute, int rows) {
    this.bean = bean;
    this.minute = minute;
    this.rows = rows;
  }

  void write(Html page, History history, KnownFiles known, Configuration conf) {
    lookups(page, "Tables by lookups", "table", bean.lookupsByTable(ALL));
    lookups(page, "Column families by lookups", "family", bean.lookupsByFamily(ALL));
    bytes(page, "Tables by cached bytes", "table", bean.cachedTablesByTier(ALL), null);
    bytes(
        page,
        "Files by cached bytes",
        "file",
        // Of a file that is not among the largest of a tier, nothing is known there.
        bean.cachedFilesByTier(MOST_FILES),
        known);
    shares(page);
    moves(page);
    regionHeat(page);
    events(page);
    troubles(page, history);
    settings(page, conf);
  }

  private static void fold(Html page, String title, Object note) {
    page.add("<details><summary>%s <small>%s</small></summary>", title, note);
  }

  private static void end(Html page) {
    page.add("</details>\n");
  }

  private void lookups(Html page, String title, String group, Map<String, Map<String, Long>> all) {
    List<String> names = List.copyOf(minute.to().tiers().keySet());
    List<String> titles = new ArrayList<>(List.of(group, "lookups", "hit ratio"));
    names.forEach(tier -> titles.add("from " + tier));
    List<List<String>> cells = new ArrayList<>();
    for (Map.Entry<String, Map<String, Long>> entry : largest(all)) {
      Map<String, Long> of = entry.getValue();
      long lookups = sum(of);
      long hits = lookups - of.getOrDefault(MISSES, 0L);
      List<String> row = new ArrayList<>();
      row.add(entry.getKey());
      row.add((hits == 0 ? "" : "about ") + Shown.count(lookups));
      row.add(share(hits, lookups));
      names.forEach(tier -> row.add(share(of.getOrDefault(tier, 0L), lookups)));
      cells.add(row);
    }
    fold(page, title, Shown.count(all.size()));
    page.add(
        "<p>Since the start. Misses are counted; of the hits one in %s is, so that a hit costs"
            + " nothing more. A share is shown once it is right to %s points.</p>",
        Shown.count(HitRecorder.HITS_A_SAMPLE), Math.round(100 * MOST_ERROR));
    more(page, all.size());
    page.table(titles, cells);
    end(page);
  }

  /** A share of lookups, if the sample of hits that it is estimated from carries it. */
  // The standard error of Agresti and Coull: Approximate is Better than "Exact" for Interval
  // Estimation of Binomial Proportions, 1998. It is not 0 where all or none of few samples hit.
  static String share(long hits, long lookups) {
    double samples = (double) lookups / HitRecorder.HITS_A_SAMPLE + 4;
    double share = ((double) hits / HitRecorder.HITS_A_SAMPLE + 2) / samples;
    return Math.sqrt(share * (1 - share) / samples) < MOST_ERROR
        ? Shown.percent((double) hits / lookups)
        : Shown.UNKNOWN;
  }

  /** With its table and regions, for a file. */
  private void bytes(
      Html page,
      String title,
      String group,
      Map<String, Map<String, Long>> bytesByTier,
      KnownFiles known) {
    Map<String, Map<String, Long>> byGroup = byGroup(bytesByTier);
    List<String> titles = new ArrayList<>(List.of(group));
    if (known != null) {
      titles.add("table and region");
    }
    titles.addAll(bytesByTier.keySet());
    List<List<String>> cells = new ArrayList<>();
    for (Map.Entry<String, Map<String, Long>> entry : largest(byGroup)) {
      List<String> row = new ArrayList<>(List.of(entry.getKey()));
      if (known != null) {
        row.add(owners(known.owners(entry.getKey())));
      }
      bytesByTier
          .keySet()
          .forEach(tier -> row.add(Shown.bytes(entry.getValue().getOrDefault(tier, 0L))));
      cells.add(row);
    }
    fold(page, title, Shown.count(byGroup.size()));
    page.add("<p>A block may be in several tiers.</p>");
    more(page, byGroup.size());
    page.table(titles, cells);
    end(page);
  }

  private static String owners(List<Owner> owners) {
    List<String> names =
        owners.stream()
            .map(
                owner ->
                    owner.table() == null
                        ? owner.region()
                        : owner.table() + " " + owner.family() + ", " + owner.region())
            .toList();
    return names.isEmpty() ? Shown.UNKNOWN : String.join("; ", names);
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
  private List<Map.Entry<String, Map<String, Long>>> largest(
      Map<String, Map<String, Long>> groups) {
    record Summed(Map.Entry<String, Map<String, Long>> group, long sum) {}
    return groups.entrySet().stream()
        .map(group -> new Summed(group, sum(group.getValue())))
        .sorted(
            Comparator.comparingLong(Summed::sum)
                .reversed()
                .thenComparing(summed -> summed.group.getKey()))
        .limit(rows)
        .map(Summed::group)
        .toList();
  }

  private void more(Html page, int groups) {
    if (groups > rows) {
      page.add(
          "<p>The largest %s of %s. <a href=\"?rows=%s\">Show more</a></p>",
          rows, Shown.count(groups), rows < MORE_ROWS ? MORE_ROWS : MOST_FILES);
    }
  }

  private static long sum(Map<String, Long> values) {
    return values.values().stream().mapToLong(Long::longValue).sum();
  }

  private void shares(Html page) {
    List<List<String>> cells = new ArrayList<>();
    bean.getTableShares()
        .forEach(
            (tier, tables) ->
                tables.forEach(
                    (table, of) ->
                        cells.add(
                            List.of(
                                table,
                                tier,
                                Shown.bytes(of.get("min")),
                                Shown.bytes(of.get("max")),
                                Shown.bytes(of.get("bytes"))))));
    if (cells.isEmpty()) {
      return;
    }
    fold(page, "Tables and families with a share", cells.size());
    page.add("<p>Set by hbase.terrace.tables.*; a file's table is known ten seconds after it.</p>");
    page.table(List.of("table or family", "tier", "keeps", "may have", "has"), cells);
    end(page);
  }

  private void moves(Html page) {
    List<List<String>> cells = new ArrayList<>();
    for (MoveStats move : minute.to().moves()) {
      for (MoveOutcome outcome : MoveOutcome.values()) {
        long blocks = move.blocks().getOrDefault(outcome, 0L);
        if (blocks > 0) {
          cells.add(
              List.of(
                  move.from() + " to " + move.to(),
                  outcome.name(),
                  Shown.count(blocks),
                  outcome == MoveOutcome.MOVED ? Shown.bytes(move.bytes()) : ""));
        }
      }
    }
    fold(page, "Moves between tiers", "since the start");
    page.table(List.of("from and to", "outcome", "blocks", "bytes"), cells);
    end(page);
  }

  private void regionHeat(Html page) {
    Map<String, Long> figures = bean.getRegionHeat();
    List<List<String>> cells = new ArrayList<>();
    figures.forEach(
        (name, value) ->
            cells.add(
                List.of(
                    NEXT_WORD
                        .matcher(name)
                        .replaceAll(next -> " " + next.group())
                        .toLowerCase(Locale.ROOT),
                    name.contains("ytes") ? Shown.bytes(value) : Shown.count(value))));
    fold(
        page,
        "Regions that move",
        Shown.count(figures.getOrDefault("regionsToWarm", 0L)) + " to warm");
    page.add("<p>Since the start.</p>");
    page.table(List.of("what", "how much"), cells);
    end(page);
  }

  private void events(Html page) {
    List<List<String>> cells = new ArrayList<>();
    minute
        .to()
        .tiers()
        .forEach(
            (name, tier) -> {
              events(cells, name, "refused", tier.events().refusals());
              events(cells, name, "evicted", tier.events().evictions());
            });
    fold(page, "Blocks that were refused or left", "since the start");
    page.table(List.of("tier", "what", "why", "blocks"), cells);
    end(page);
  }

  private static void events(
      List<List<String>> cells, String tier, String what, Map<? extends Enum<?>, Long> counts) {
    counts.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .sorted(Comparator.comparing(entry -> entry.getKey().name()))
        .forEach(
            entry ->
                cells.add(
                    List.of(tier, what, entry.getKey().name(), Shown.count(entry.getValue()))));
  }

  private void troubles(Html page, History history) {
    Instant now = minute.to().at();
    List<List<String>> cells = new ArrayList<>();
    minute
        .to()
        .tiers()
        .forEach(
            (name, tier) -> {
              for (Trouble trouble : Trouble.values()) {
                long count = tier.events().troubles().getOrDefault(trouble, 0L);
                if (count > 0) {
                  cells.add(
                      List.of(
                          name,
                          trouble.name(),
                          Shown.count(count),
                          Shown.time(history.last(name, trouble), now)));
                }
              }
            });
    fold(page, "Troubles", cells.isEmpty() ? "none since the start" : "since the start");
    page.table(List.of("tier", "what", "count", "last"), cells);
    end(page);
  }

  private void settings(Html page, Configuration conf) {
    List<List<String>> cells = new ArrayList<>();
    bean.getSettings()
        .forEach((key, value) -> cells.add(List.of(key, readable(key, value), origin(conf, key))));
    cells.sort(Comparator.comparing((List<String> row) -> row.get(2).equals("default")));
    fold(page, "Settings", cells.size());
    page.table(List.of("key", "value", "from"), cells);
    end(page);
  }

  /** Sizes as a person writes them. */
  private static String readable(String key, String value) {
    return SIZE.matcher(key).matches() && BYTES.matcher(value).matches()
        ? Shown.bytes(Long.parseLong(value))
        : value;
  }

  private static String origin(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null ? "default" : sources[sources.length - 1];
  }
}
