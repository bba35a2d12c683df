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

import dev.terrace.api.Access;
import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.tiered.HeapTier;
import dev.terrace.tiered.LentStrings;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StatusTextTest {

  private static final String HOSTILE = "<script>alert('\"&')</script>";

  private final List<HeapTier> tiers = List.of(new HeapTier("dram"), new HeapTier("ssd"));
  private final TieredCache<String> cache =
      new TieredCache<>(
          tiers, new LentStrings(), Movement.standard(tiers, false, Runnable::run, 1 << 20));
  private final Configuration conf = new Configuration(false);
  private final TierHistory history = new TierHistory();

  @AfterEach
  void close() {
    cache.close();
  }

  private String page(Map<String, Map<String, Long>> lookups) {
    return new StatusText(new Bean(lookups), cache, conf, history).html(StatusText.ROWS);
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
    String page = StatusText.why(HOSTILE, "on " + HOSTILE + "\n\ntable " + HOSTILE);

    assertThat(page)
        .doesNotContain("<script")
        .contains(
            "<p>on " + Html.escape(HOSTILE) + "</p>\n<pre>table " + Html.escape(HOSTILE) + "</pre>",
            "<input name=\"why\" size=\"40\" value=\"" + Html.escape(HOSTILE) + "\">");
    assertThat(page(Map.of())).contains("<input name=\"why\" size=\"40\" value=\"\">");
  }

  @Test
  void hitRatiosAreSharesOfTheLookups() {
    String page = page(Map.of("t", Map.of("dram", 6_144L, "ssd", 1_024L, "misses", 1_024L)));

    assertThat(page)
        .contains(
            "<td>t</td><td>8,192</td><td>87.5 %</td><td>75.0 %</td><td>12.5 %</td>",
            "<th>from dram</th><th>from ssd</th>");
  }

  @Test
  void theMostUsedComeFirstAndTheRestIsCounted() {
    Map<String, Map<String, Long>> lookups = new TreeMap<>();
    IntStream.range(0, 25).forEach(i -> lookups.put("t" + i, Map.of("misses", (long) i)));
    String page = page(lookups);

    assertThat(page)
        .contains("There are 5 more than these: add ?rows=1000.", "<td>t24</td>", "<td>t5</td>");
    assertThat(page).doesNotContain("<td>t4</td>");
    assertThat(page.indexOf("<td>t24</td>")).isLessThan(page.indexOf("<td>t5</td>"));
  }

  @Test
  void settingsTellWhereTheyAreFrom() {
    conf.set("hbase.terrace.ssd.paths", "/mnt/ssd", "hbase-site.xml");

    assertThat(page(Map.of()))
        .contains(
            "<td>hbase.terrace.dram.size</td><td>" + Html.escape(HOSTILE) + "</td><td>default</td>",
            "<td>hbase.terrace.ssd.paths</td><td>/mnt/ssd</td><td>hbase-site.xml</td>");
  }

  @Test
  void tablesWithAShareAreShown() {
    assertThat(page(Map.of()))
        .contains("<td>dram</td><td>1 MB</td><td>4 MB</td><td>2 MB</td>", "hbase.terrace.tables.*");
  }

  @Test
  void otherSizesAreShown() {
    assertThat(page(Map.of()))
        .contains("1 block in 4,096, for the last 1.5 hours. Accesses lost: 7.")
        .contains("<td>dram times 2</td><td>32 MB</td><td>62.5 %</td><td>3 GB</td>")
        .doesNotContain("<td>sample</td>");
  }

  @Test
  void anEmptyCacheHasAPage() {
    assertThat(page(Map.of())).contains("Nothing so far.", "dram: fill, now -");
    history.add(cache.stats());
    assertThat(page(Map.of())).contains("dram: fill, now 0.0 %", "dram: hit ratio, now -");
  }

  @Test
  void theHistoryIsBounded() {
    for (int i = 0; i < TierHistory.SAMPLES + 10; i++) {
      cache.get("absent", 0, Access.PASSING);
      history.add(cache.stats());
    }
    assertThat(history.fill("dram")).hasSize(TierHistory.SAMPLES);
    assertThat(history.hitRatio("dram")).hasSize(TierHistory.SAMPLES - 1);
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
      return Map.of("hbase.terrace.dram.size", HOSTILE, "hbase.terrace.ssd.paths", "/mnt/ssd");
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
    public Map<String, Long> getFlushHeat() {
      return Map.of();
    }

    @Override
    public Map<String, Map<String, Double>> getWhatIf() {
      Map<String, Double> dram =
          Map.of("sizeBytes", 32.0 * (1 << 20), "hitRatio", 0.625, "ssdBytesADay", 3.0 * (1 << 30));
      return Map.of(
          "dram times 2",
          dram,
          "sample",
          Map.of("seconds", 5_400.0, "oneBlockIn", 4_096.0, "lostAccesses", 7.0));
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
