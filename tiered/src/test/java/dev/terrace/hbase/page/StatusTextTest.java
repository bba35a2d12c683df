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

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PathStats;
import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.tiered.HeapTier;
import dev.terrace.tiered.LentStrings;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class StatusTextTest {

  private static final String HOSTILE = "<script>alert('\"&')</script>";

  private final List<HeapTier> tiers = List.of(new HeapTier("dram"), new HeapTier("ssd"));
  private final TieredCache<String> cache =
      new TieredCache<>(
          tiers, new LentStrings(), Movement.standard(tiers, false, Runnable::run, 1 << 20));
  private final Configuration conf = new Configuration(false);
  private final Instant start = Instant.parse("2026-11-26T12:00:00Z");
  private final History history =
      new History(time -> new Span.Moment(time, cache.stats(), cache.moves()), start);

  @AfterEach
  void close() {
    cache.close();
  }

  private String page(Map<String, Map<String, Long>> lookups) {
    return text(new Bean(lookups), history).html(StatusText.ROWS, start.plusSeconds(60));
  }

  private StatusText text(TerraceMXBean bean, History of) {
    return new StatusText(bean, new KnownFiles(Stream::of, System::nanoTime), conf, of, start);
  }

  @Test
  void namesAndValuesAreNoMarkup() {
    conf.set("hbase.terrace.ssd.paths", "x", HOSTILE);
    String page = page(Map.of(HOSTILE, Map.of("dram", 1L, "misses", 1L)));

    assertThat(page).doesNotContain("<script").contains("&lt;script&gt;alert(&#39;&quot;&amp;");
    assertThat(page.split("&lt;script&gt;", -1)).hasSize(1 + 8);
  }

  @Test
  void anAnswerAndItsQuestionAreNoMarkup() {
    String page =
        StatusText.why(HOSTILE, "on " + HOSTILE + "\n\ntier  bytes\n" + HOSTILE + "     1 B\n");

    assertThat(page)
        .doesNotContain("<script")
        .contains(
            "<p>on " + Html.escape(HOSTILE) + "</p>",
            "<th>tier</th><th>bytes</th>",
            "<td>" + Html.escape(HOSTILE) + "</td><td>1 B</td>",
            "name=\"why\" value=\"" + Html.escape(HOSTILE) + "\"");
    assertThat(page(Map.of())).contains("name=\"why\" value=\"\"");
  }

  @Test
  void sharesOfLookupsAreShownOnceTheirSampleCarriesThem() {
    String page =
        page(
            Map.of(
                "read", Map.of("dram", 614_400L, "ssd", 102_400L, "misses", 102_400L),
                "seldom", Map.of("dram", 2_048L, "misses", 5_940L),
                "missed", Map.of("misses", 40_960L)));

    assertThat(page)
        .contains(
            "<td>read</td><td>about 819,200</td><td>87.5 %</td><td>75.0 %</td><td>12.5 %</td>",
            "<td>seldom</td><td>about 7,988</td><td>–</td><td>–</td><td>–</td>",
            "<td>missed</td><td>40,960</td><td>0.0 %</td><td>0.0 %</td><td>0.0 %</td>",
            "<th>from dram</th><th>from ssd</th>");
    assertThat(Lists.share(10_240, 10_240)).as("ten of ten in the sample").isEqualTo("–");
    assertThat(Lists.share(30_720, 30_720)).isEqualTo("100.0 %");
  }

  @Test
  void theMostUsedComeFirstAndTheRestIsCounted() {
    Map<String, Map<String, Long>> lookups = new TreeMap<>();
    IntStream.range(0, 25).forEach(i -> lookups.put("t" + i, Map.of("misses", (long) i)));
    String page = page(lookups);

    assertThat(page)
        .contains(
            "The largest 20 of 25. <a href=\"?rows=1000\">Show more",
            "<td>t24</td>",
            "<td>t5</td>");
    assertThat(page).doesNotContain("<td>t4</td>");
    assertThat(page.indexOf("<td>t24</td>")).isLessThan(page.indexOf("<td>t5</td>"));
  }

  /** Answers from the top, and draws each state of a path. */
  @ParameterizedTest
  @EnumSource(PathStats.State.class)
  void theVerdictComesFirst(PathStats.State state) {
    History made =
        new History(
            time ->
                MadeUp.moment(
                    Duration.between(start, time).toSeconds(),
                    MadeUp.path(state, "EIO, the disk fails. To do: see dmesg", 60)),
            MadeUp.START);
    String page = text(new Bean(Map.of()), made).html(StatusText.ROWS, start.plusSeconds(60));

    boolean isWell = state == PathStats.State.IN_SERVICE;
    assertThat(page)
        .containsSubsequence(
            isWell ? ">All is well</h2>" : ">Something is wrong</h2>",
            isWell ? "2 tiers, 1 path." : "<h3>ssd: /mnt/" + state + " is " + state.words(),
            isWell ? "" : "<b>To do:</b> See dmesg.",
            ">Is it worth its money?</h2>",
            "<dt>hit ratio</dt><dd>90.0 %",
            "dram <small>4 GB",
            "↓ 1 GB/s down",
            ">" + state.words() + "</b> <code>/mnt/" + state + "</code><span>1 GB of 4 GB",
            ">What should I change?</h2>",
            ">Why is this not cached?</label>",
            "<summary>Tables by lookups",
            "<summary>Regions that move <small>1,500 to warm<");
    assertThat(page)
        .contains(
            "<td>regions to warm</td><td>1,500</td>", "<td>bytes read to warm</td><td>2 KB</td>");
  }

  @Test
  void settingsTellWhereTheyAreFromAsAPersonWritesThem() {
    conf.set("hbase.terrace.ssd.size", "x", "hbase-site.xml");

    assertThat(page(Map.of()))
        .containsSubsequence(
            "<td>hbase.terrace.ssd.size</td><td>512 MB</td><td>hbase-site.xml</td>",
            "<td>hbase.terrace.dram.size</td><td>"
                + Html.escape(HOSTILE)
                + "</td><td>default</td>");
  }

  @Test
  void tablesWithAShareAreShown() {
    assertThat(page(Map.of()))
        .contains("<td>dram</td><td>1 MB</td><td>4 MB</td><td>2 MB</td>", "hbase.terrace.tables.*");
  }

  @Test
  void otherSizesAreShownAndAdvisedOn() {
    assertThat(page(Map.of()))
        .contains(
            "Twice the dram (32 MB) would hit 62.5 % instead of 50.0 %: 25 % fewer reads of HFiles.",
            "Half the dram would do as well.",
            "in the last 90 min: simulated on 1 block in 4,096, without 7 reads that were lost.",
            "<td>8 MB</td><td class=\"today\">16 MB</td><td>32 MB</td>",
            "<td>50.0 %</td><td class=\"today\">50.0 %</td><td>62.5 %</td>",
            "<td>3 GB</td>");
  }

  @Test
  void aLineEndsWhereThereIsNoValueAndStandsToTheRight() {
    assertThat(Curves.line(List.of(0.0, 0.5, 2.0), 4)).isEqualTo("M1 100.0h0L2 50.0L3 0.0");
    assertThat(Curves.line(List.of(0.0, Double.NaN, 1.0, 1.0), 4))
        .isEqualTo("M0 100.0h0M2 0.0h0L3 0.0");
  }

  @Test
  void anEmptyCacheHasAPage() {
    history.look(start.plusSeconds(10));
    assertThat(page(Map.of()))
        .contains("Nothing so far.", "Nothing was read in the last minute.", "all tiers –");
  }

  /** Has hostile names wherever a name comes from outside. */
  private record Bean(Map<String, Map<String, Long>> lookups) implements TerraceMXBean {

    @Override
    public String getVersion() {
      return HOSTILE;
    }

    @Override
    public String getEntryPoint() {
      return HOSTILE;
    }

    @Override
    public String getStartLine() {
      return HOSTILE;
    }

    @Override
    public Map<String, String> getSettings() {
      return Map.of(
          "hbase.terrace.dram.size", HOSTILE,
          "hbase.terrace.ssd.size", "536870912",
          "hbase.terrace.ssd.paths", "/mnt/ssd");
    }

    @Override
    public Map<String, Long> getMoves() {
      return Map.of();
    }

    @Override
    public String whyNotCached(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String getTrace() {
      return "";
    }

    @Override
    public String startTrace(
        String folder, int oneIn, int mostMegabytes, int mostSeconds, boolean withTables) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String stopTrace() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, Long> getCachedRegions() {
      return Map.of();
    }

    @Override
    public Map<String, Map<String, Long>> getCachedRegionsByTier() {
      return Map.of();
    }

    @Override
    public Map<String, Map<String, Long>> getCachedTablesByTier() {
      return Map.of("ssd", Map.of(HOSTILE, 1L));
    }

    @Override
    public Map<String, Map<String, Map<String, Long>>> getTableShares() {
      Map<String, Long> bytes = Map.of("min", 1L << 20, "max", 4L << 20, "bytes", 2L << 20);
      return Map.of("dram", Map.of(HOSTILE, bytes));
    }

    @Override
    public Map<String, Long> getCompactionHeat() {
      return Map.of();
    }

    @Override
    public Map<String, Long> getRegionHeat() {
      return Map.of("regionsToWarm", 1_500L, "bytesReadToWarm", 2_048L);
    }

    @Override
    public Map<String, Long> getFlushHeat() {
      return Map.of();
    }

    @Override
    public Map<String, Map<String, Double>> getWhatIf() {
      Map<String, Map<String, Double>> sizes = new LinkedHashMap<>();
      sizes.put("dram times 1/2", size(8, 0.5));
      sizes.put("dram times 1", size(16, 0.5));
      sizes.put("dram times 2", size(32, 0.625));
      sizes.put(
          "sample",
          Map.of("seconds", 5_400.0, "oneBlockIn", 4_096.0, "lostAccesses", 7.0, "hitRatio", 0.5));
      return sizes;
    }

    private static Map<String, Double> size(double megabytes, double hitRatio) {
      return Map.of(
          "sizeBytes",
          megabytes * (1 << 20),
          "hitRatio",
          hitRatio,
          "ssdBytesADay",
          3.0 * (1 << 30));
    }

    @Override
    public Map<String, Map<String, Long>> getLookupsByTable() {
      return lookups;
    }

    @Override
    public Map<String, Map<String, Long>> getLookupsByFamily() {
      return lookups;
    }

    @Override
    public Map<String, Long> cachedRegions(int most) {
      return Map.of();
    }

    @Override
    public Map<String, Map<String, Long>> cachedRegionsByTier(int most) {
      return Map.of();
    }

    @Override
    public Map<String, Map<String, Long>> cachedTablesByTier(int most) {
      return getCachedTablesByTier();
    }

    @Override
    public Map<String, Map<String, Long>> lookupsByTable(int most) {
      return lookups;
    }

    @Override
    public Map<String, Map<String, Long>> lookupsByFamily(int most) {
      return lookups;
    }

    @Override
    public Map<String, Long> cachedFiles(int most) {
      return Map.of();
    }

    @Override
    public Map<String, Map<String, Long>> cachedFilesByTier(int most) {
      return Map.of("ssd", Map.of(HOSTILE, 1L));
    }
  }
}
