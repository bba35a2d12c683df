// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PathStats;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.status.FamilyLookups;
import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.tiered.HeapTier;
import dev.terrace.tiered.LentStrings;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

final class StatusJsonTest {

  private static final String NAME = "<b>x</b>, \"a,b\" и 'a b'";

  private final FileCatalog known = new FileCatalog(FILES, Stream::of, System::nanoTime);
  private final List<HeapTier> tiers = List.of(new HeapTier("dram"));
  private final FamilyLookups lookups =
      new FamilyLookups(
          new TieredCache<>(
              FILES,
              tiers,
              new LentStrings(),
              Movement.standard(
                  tiers, false, Map.of(), System::nanoTime, Runnable::run, Long.MAX_VALUE)),
          known,
          System::currentTimeMillis);
  private final Configuration conf = new Configuration(false);
  private PathStats.State state = PathStats.State.IN_SERVICE;
  private final StatusJson json =
      new StatusJson(
          bean(),
          known,
          conf,
          lookups,
          new History(
              time ->
                  MadeUp.moment(
                      Duration.between(MadeUp.START, time).toSeconds(),
                      MadeUp.path(state, "fails. To do: see dmesg", 60)),
              MadeUp.START),
          new Verdict(),
          MadeUp.START);

  /** Has a name that is hard to show wherever a name comes from outside. */
  private static TerraceMXBean bean() {
    return (TerraceMXBean)
        Proxy.newProxyInstance(
            StatusJsonTest.class.getClassLoader(),
            new Class<?>[] {TerraceMXBean.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getSettings" -> Map.of("hbase.terrace.ssd.paths", NAME, "other", "1");
                  case "getStartLine", "getWarming" -> NAME;
                  case "getRegionWarmup" -> MadeUp.WARMUP;
                  case "cachedFiles" -> Map.of("ssd", Map.of(NAME, 1L));
                  default -> Map.of(NAME, Map.of("dram", 1L));
                });
  }

  private JsonObject status() {
    String text = json.status(MadeUp.START.plusSeconds(60));
    return JsonParser.parseString(text).getAsJsonObject();
  }

  @Test
  void theVerdictIsThatOfTheMoment() {
    assertThat(status().getAsJsonObject("verdict").get("level").getAsString()).isEqualTo("well");
    state = PathStats.State.OUT;
    JsonObject verdict = status().getAsJsonObject("verdict");
    assertThat(verdict.get("level").getAsString()).isEqualTo("bad");
    assertThat(verdict.toString())
        .contains("ssd: /mnt/OUT is out of service", "Cause: fails", "See dmesg.");
    assertThat(status().getAsJsonArray("paths").toString())
        .contains("\"state\":\"OUT\"", "\"words\":\"out of service\"", "\"errors_total\":12");
  }

  @Test
  void theFiguresHaveTheNamesOfTheMetrics() {
    JsonObject figures = status().getAsJsonObject("figures");
    assertThat(figures.keySet())
        .containsExactly("dram", "ssd", "dram_to_ssd", "warm", "store", "heap", "settings");
    JsonObject dram = figures.getAsJsonObject("dram");
    assertThat(dram.get("hits_total").getAsLong()).isEqualTo(360);
    assertThat(dram.get("hit_p50_seconds").getAsDouble()).isEqualTo(2e-7);
    assertThat(dram.has("hit_p99_seconds")).as("unknown").isFalse();
    JsonObject before = status().getAsJsonObject("before");
    assertThat(before.get("seconds").getAsDouble()).isEqualTo(60);
    assertThat(before.toString()).contains("\"hits_total\":0");
  }

  @Test
  void namesStayWhatTheyAre() {
    conf.set("hbase.terrace.ssd.paths", "x", "hbase-site.xml");
    JsonObject lists = JsonParser.parseString(json.lists(20)).getAsJsonObject();
    for (String list : new String[] {"lookupsByTable", "lookupsByFamily", "cachedTables"}) {
      assertThat(lists.getAsJsonObject(list).keySet()).containsExactly(NAME);
    }
    assertThat(lists.getAsJsonObject("cachedFiles").getAsJsonObject("ssd").keySet())
        .containsExactly(NAME);
    JsonObject paths = lists.getAsJsonObject("settings").getAsJsonObject("hbase.terrace.ssd.paths");
    assertThat(paths.get("value").getAsString()).isEqualTo(NAME);
    assertThat(paths.get("from").getAsString()).isEqualTo("hbase-site.xml");
    assertThat(lists.getAsJsonObject("settings").toString()).contains("\"from\":\"default\"");
    assertThat(status().get("startLine").getAsString()).isEqualTo(NAME);
  }

  @Test
  void whoMissesIsNamed() {
    for (int miss = 0; miss < 3; miss++) {
      lookups.missed(file("file"), false);
    }
    assertThat(status().getAsJsonArray("misses").toString())
        .isEqualTo(
            "[{\"table\":\"unknown\",\"family\":\"\",\"read\":\"compaction\",\"misses\":3}]");
  }
}
