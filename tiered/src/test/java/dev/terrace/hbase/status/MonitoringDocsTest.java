// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.PathStats;
import dev.terrace.api.TierStats;
import dev.terrace.api.TierStats.LatencySummary;
import dev.terrace.hbase.peers.PeerFigure;
import dev.terrace.hbase.warmup.WarmOutcome;
import dev.terrace.tiered.MoveStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the list of metrics in docs/monitoring to the figures. */
class MonitoringDocsTest {

  /** What tells the counters of a family apart. */
  private static final Map<String, String> LABELS =
      Map.of(
          "refusals_total", "reason",
          "evictions_total", "cause",
          "faults_total", "kind",
          "moves_total", "outcome",
          "blocks_total", "outcome",
          "copies_total", "reason");

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  /** A row of the list, but for the meaning. */
  private static final Pattern ROW =
      Pattern.compile("(\\| `terrace_[^|]*\\|[^|]*\\| (?:gauge|counter) \\|) \\S.* \\|");

  private static final Pattern KEY = Pattern.compile("figures\\.put\\(\"(\\w+)\"");

  /** A counter of one constant, such as {@code evictions_size_total}. */
  private static final Pattern CONSTANT =
      Pattern.compile("^(refusals|evictions|faults|moves|blocks|copies)_.*(_total)");

  /** The figures of a tier, of a way and of warmed regions, none of them unknown. */
  private static Map<String, Map<String, Number>> figures() {
    HitRecorder hits = new HitRecorder();
    hits.hit(hits.stripe(), Access.CACHING, 0, file("file"));
    TierStats tier =
        new TierStats(
            new TierStats.Space(1, 1, 1, 1, 1),
            TierStats.Pins.NONE,
            new TierStats.Reads(hits.counts(), 1, new LatencySummary(100, 1, 1, 1, 1), 0),
            new TierStats.Writes(1, 1, 1, 1, 1),
            new TierStats.Events(Map.of(), Map.of(), Map.of()),
            List.of());
    Map<String, Long> warmup = new HashMap<>();
    List.of(
            "regionsToWarm",
            "readsToWarm",
            "bytesReadToWarm",
            "listsWritten",
            "listStoreCalls",
            "listsNotWritten",
            "listsNotRead")
        .forEach(figure -> warmup.put(figure, 0L));
    for (WarmOutcome outcome : WarmOutcome.values()) {
      warmup.put(outcome.figure(), 0L);
    }
    for (PeerFigure figure : PeerFigure.values()) {
      warmup.put(figure.figure(), 0L);
    }
    MoveStats way = new MoveStats("from", "to", Map.of(), 0);
    Map<String, Long> copies = Map.of("filter", 1L, "observer my.RegionWatcher", 1L);
    Map<String, Long> settings = new TreeMap<>(Map.of("refused", 0L, "waiting", 0L));
    return Metrics.of(
            Instant.EPOCH, Map.of("tier", tier), List.of(way), warmup, STORE, copies, settings)
        .figures();
  }

  private static final PathStats PATH =
      new PathStats(
          "path",
          new PathStats.Condition(PathStats.State.IN_SERVICE, Instant.EPOCH, ""),
          1,
          1,
          0,
          new PathStats.Times(0, 0),
          new PathStats.Times(0, 0));

  private static final Map<String, Long> SHARE =
      Map.of("min", 0L, "max", 0L, "bytes", 0L, "hits", 0L, "refused", 0L);

  private static final Map<String, Long> STORE =
      Map.of(
          "savedRequests", 0L,
          "savedBytes", 0L,
          "readRequests", 0L,
          "readBytes", 0L,
          "prefetchRequests", 0L,
          "prefetchBytes", 0L);

  /** The names of figures; the counters of a family have one. */
  private static Set<String> families(Map<String, Number> figures) {
    Set<String> families = new LinkedHashSet<>();
    figures.keySet().forEach(name -> families.add(CONSTANT.matcher(name).replaceAll("$1$2")));
    return families;
  }

  @Test
  void theListHasEachFigure() throws IOException {
    List<String> expected = new ArrayList<>();
    Map<String, Map<String, Number>> all = figures();
    families(all.get("tier")).forEach(name -> expected.add(row("", name, "`tier`")));
    families(Metrics.ofPath(PATH))
        .forEach(name -> expected.add(row("path_", name, "`tier`, `path`")));
    families(Metrics.ofShare(SHARE))
        .forEach(name -> expected.add(row("share_", name, "`tier`, `share`")));
    families(Metrics.ofTable(STORE)).forEach(name -> expected.add(row("table_", name, "`table`")));
    families(all.get("from_to_to")).forEach(name -> expected.add(row("", name, "`from`, `to`")));
    families(all.get("warm")).forEach(name -> expected.add(row("warm_", name, "")));
    families(all.get("store")).forEach(name -> expected.add(row("store_", name, "")));
    families(all.get("heap")).forEach(name -> expected.add(row("heap_", name, "")));
    families(all.get("settings")).forEach(name -> expected.add(row("settings_", name, "")));

    assertThat(Files.readAllLines(Path.of("..", "docs", "monitoring", "README.md")))
        .map(ROW::matcher)
        .filteredOn(Matcher::matches)
        .map(row -> row.group(1))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void theListHasEachKeyOfTheBeansMaps() throws IOException {
    Set<String> keys = new TreeSet<>();
    for (String source :
        List.of(
            "hbase/cacheonwrite/CompactionCaching",
            "hbase/cacheonwrite/FlushCaching",
            "hbase/warmup/HotListWriter",
            "hbase/warmup/RegionWarmer",
            "tiered/plan/LiveCurves")) {
      Path file = Path.of("src/main/java/dev/terrace", source + ".java");
      KEY.matcher(Files.readString(file)).results().forEach(put -> keys.add(put.group(1)));
    }
    for (WarmOutcome outcome : WarmOutcome.values()) {
      keys.add(outcome.figure());
    }
    for (PeerFigure figure : PeerFigure.values()) {
      keys.add(figure.figure());
    }
    keys.addAll(SHARE.keySet());

    String section = section("monitoring/README.md", "## The maps of the bean\n");
    Set<String> listed = new TreeSet<>();
    for (String row : section.lines().filter(line -> line.startsWith("| `")).toList()) {
      NAME.matcher(row.substring(row.indexOf(" | ")))
          .results()
          .forEach(m -> listed.add(m.group(1)));
    }
    listed.removeAll(Set.of("sample", "ssd times 2"));
    assertThat(keys).hasSizeGreaterThan(30);
    assertThat(listed).isEqualTo(keys);
  }

  private static String section(String document, String heading) throws IOException {
    String text = Files.readString(Path.of("..", "docs", document));
    int start = text.indexOf(heading);
    return text.substring(start, text.indexOf("\n#", start));
  }

  private static String row(String prefix, String family, String labels) {
    String label = LABELS.get(family);
    String own = label == null ? "" : "`" + label + "`";
    String all = labels + (labels.isEmpty() || own.isEmpty() ? "" : ", ") + own;
    return String.format(
        Locale.ROOT,
        "| `terrace_%s%s` | %s | %s |",
        prefix,
        family,
        all.isEmpty() ? "–" : all,
        family.endsWith(Metrics.TOTAL) ? "counter" : "gauge");
  }

  /** Names in the first column of a table that begin like those of figures. */
  @Test
  void whatToWatchHasNamesOfTheBean() throws IOException {
    Set<String> names = new TreeSet<>(Set.of("Paths"));
    names.addAll(families(figures().get("tier")));
    names.addAll(families(figures().get("from_to_to")));
    List<String> watched =
        section("operations.md", "## What to watch\n")
            .lines()
            .filter(line -> line.startsWith("| `"))
            .flatMap(line -> NAME.matcher(line.substring(0, line.indexOf(" |"))).results())
            .map(match -> match.group(1))
            .toList();
    assertThat(watched).hasSizeGreaterThan(8).isSubsetOf(names);
  }
}
