// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.api.Patience;
import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.ServerSetup;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus, with all that is in docs/monitoring, looks at a real region server with three
 * tiers.
 */
@Tag("hadoop")
@Tag("long")
final class MonitoringIT {

  private static final CheckedTable TABLE = CheckedTable.ordered("watched", 20_000, 1_000, 1, 1);
  private static final Pattern SELECTOR =
      Pattern.compile("(?<!\\w)(up|instance:[a-z0-9_:]+|terrace_[a-z0-9_]+)(\\{[^}]*})?");
  private static final Pattern NAME_OF_HBASE =
      Pattern.compile("`((?:blockCache|l[12]Cache)[A-Za-z]+)`");
  private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(terrace_[a-z0-9_]+)` \\|");

  @TempDir private static Path folder;

  private static HBaseServer server;
  private static Connection connection;
  private static LoadedTable watched;
  private static Prometheus prometheus;

  @BeforeAll
  static void start() throws IOException {
    Prometheus.requireInstalled();
    Path logs = Setups.emptyFolder("MonitoringIT");
    ServerSetup setup =
        Setups.terrace(
            "monitoring",
            384L << 20,
            Map.of(
                "hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer",
                "hbase.regionserver.datatiering.enable", "true",
                "hbase.terrace.create.paths", "true",
                "hbase.terrace.dram.size", "3m",
                "hbase.terrace.pmem.paths", folder.resolve("pmem").toString(),
                "hbase.terrace.pmem.size", "8m",
                "hbase.terrace.ssd.paths", folder.resolve("ssd").toString(),
                "hbase.terrace.ssd.size", "64m",
                "hbase.terrace.tables.max", "ssd:default:*=1"));
    server = Setups.start(setup, logs);
    connection = server.connect();
    watched = new LoadedTable(server, connection, TABLE);
    watched.write();
    watched.read();
    prometheus =
        Prometheus.start(
            "localhost:" + server.regionServerPage().getPort(),
            1,
            Files.createDirectory(folder.resolve("prometheus")));
    await("its figures were scraped twice", "count_over_time(terrace_hits_total[1m]) > 1");
  }

  @AfterAll
  static void stop() throws IOException {
    Setups.stop(server, prometheus, connection);
  }

  /** Reads the table again and again, so that there is something to see, until there is data. */
  private static void await(String what, String expression) throws IOException {
    watched.readUntil(what + ": " + expression, () -> !prometheus.query(expression).isEmpty());
  }

  /** HBase takes its beans away for half a second some time after a region opened or closed. */
  private static JmxClient.Bean ofHBase(String part) throws IOException {
    String name = "Hadoop:service=HBase,name=RegionServer,sub=" + part;
    AtomicReference<JmxClient.Bean> found = new AtomicReference<>();
    server.await(
        "JMX had " + name,
        Patience.LIMIT,
        () -> {
          server.jmx().bean(name).ifPresent(found::set);
          return found.get() != null;
        });
    return found.get();
  }

  @Test
  void hbasesMetricsHaveWhatTerracesBeanHas() throws IOException {
    assertThat(ofHBase("Terrace").number("Dram_capacity_bytes")).isEqualTo(3L << 20);
    assertThat(ofHBase("Terrace").has("Dram_to_pmem_moves_moved_total")).isTrue();
    // What JMX has of HBase's metrics is some seconds old.
    server.await(
        "hits were shown", Patience.LIMIT, () -> ofHBase("Terrace").number("Dram_hits_total") > 0);
    assertThat(ofHBase("Terrace").number("Dram_hits_total"))
        .isLessThanOrEqualTo(TwoServers.tier(server, "dram").hits());
  }

  @Test
  void hbasesOwnMetricsShowOneLevel() throws IOException {
    watched.readUntil("hits were shown", () -> ofHBase("Server").number("l1CacheHitCount") > 0);
    JmxClient.Bean shown = ofHBase("Server");
    assertThat(shown.number("l1CacheSize")).isPositive();
    assertThat(shown.number("l2CacheSize")).isZero();
  }

  @Test
  void eachNameOfHBaseInTheDocumentsIsThere() throws IOException {
    String readme = Files.readString(Prometheus.document("README.md"));
    JmxClient.Bean shown = ofHBase("Server");
    List<String> names =
        NAME_OF_HBASE.matcher(readme).results().map(name -> name.group(1)).distinct().toList();

    assertThat(names).hasSizeGreaterThan(5).allMatch(shown::has);
  }

  @Test
  void hitsAndMissesAreShownByFamily() throws IOException {
    watched.readUntil(
        "a hit in the sample", () -> attribute("LookupsByFamily").contains("\"ssd\""));
    assertThat(attribute("LookupsByFamily")).contains("\"default:watched f\"", "\"misses\"");
  }

  @Test
  void aPinnedTableStaysInDramWhileAnotherIsRead() throws IOException {
    new TableControl(server, connection, watched).assertPinnedTableStaysInDram();
  }

  @Test
  void theSsdTierChangesItsSizeWhileItServes() throws IOException {
    new TableControl(server, connection, watched).assertSsdTierChangesItsSize();
    await("the figure follows", "terrace_capacity_bytes{tier=\"ssd\"} == " + (64 << 20));
  }

  @Test
  void coldFilesLeaveFullTiers() throws IOException {
    new TableControl(server, connection, watched).assertColdFilesLeaveFullTiers();
  }

  @Test
  void aPathThatIsMovedAwayIsTold() throws IOException {
    Path cache = folder.resolve("ssd").resolve("terrace");
    Path away = folder.resolve("away");
    String alert =
        "ALERTS{alertname=\"TerracePathLost\", alertstate=\"firing\", tier=\"ssd\", path=\""
            + cache.getParent()
            + "\"}";
    Files.move(cache, away);
    try {
      await("the alert names the path", alert);
      assertThat(attribute("Paths")).contains("\"LOST\"", "its folder is gone");
    } finally {
      Files.move(away, cache);
    }
    await("the alert is over", "absent(" + alert + ")");
    await("the path is back", "terrace_path_in_service{tier=\"ssd\"} == 1");
    assertThat(attribute("Paths")).doesNotContain("LOST");
  }

  private static String attribute(String name) throws IOException {
    return BeanOperations.attribute(server, name).toString();
  }

  /** With pictures of it for a look, in {@code bench/target/it/MonitoringIT}. */
  @Test
  void theStatusPageShowsTheCacheInABrowser() throws IOException {
    Optional<Browser.Install> install = Browser.Install.find();
    assumeTrue(install.isPresent(), "no Chromium with its driver");
    URI page = server.regionServerPage().resolve("/terrace");
    // The sizes are simulated from half a minute after the start on, and shown ten seconds later.
    watched.readUntil(
        "other sizes were shown", () -> get(page("/lists.json")).contains("\"oneBlockIn\":16.0"));
    try (Browser browser = Browser.start(install.orElseThrow(), folder.resolve("profile"))) {
      look(browser, page, "page");
      assertThat(browser.run("return document.body.innerText").getAsString())
          .startsWith("Terrace")
          // Its verdict hangs on the tests before: they may have kept the small PMem tier busy.
          .containsSubsequence(
              "3 tiers, 2 paths.",
              "Traffic",
              "in service",
              "What if tiers had other sizes",
              "Why is this not cached?",
              "default:watched",
              "NOT_ADMITTED",
              "hbase.terrace.ssd.size",
              "64 MB");
      assertThat(browser.count(".tier")).isEqualTo(3);
      assertThat(browser.count("svg")).isEqualTo(1 + 3);
      assertThat(browser.log("browser")).isEmpty();
      look(browser, page.resolve("/terrace?why=watched+f"), "why");
      assertThat(browser.run("return document.body.innerText").getAsString())
          .contains("blocks of family f of table default:watched are cached (");
      assertThat(browser.run("return document.querySelector('input').value").getAsString())
          .isEqualTo("watched f");
      assertThat(requestsByHttp(browser))
          .isNotEmpty()
          .allMatch(address -> address.startsWith(page.resolve("/").toString()));
    }
  }

  private static void look(Browser browser, URI page, String picture) throws IOException {
    browser.open(page);
    server.await(
        "the script has shown what it read",
        Patience.LIMIT,
        () -> browser.count("#settings td, #answer p") > 0);
    browser.run("document.querySelectorAll('details').forEach(list => list.open = true)");
    browser.screenshot(
        HBaseInstall.home().resolve("bench/target/it/MonitoringIT/" + picture + ".png"));
  }

  @Test
  void whySomethingIsNotCachedIsAnsweredByJmxPageAndCommand() throws Exception {
    String file = BeanOperations.cachedFiles(server).keySet().iterator().next();
    for (String name : List.of("watched", "default:watched f", file)) {
      String start = BeanOperations.whyNotCached(server, name).lines().findFirst().orElseThrow();
      assertThat(start).contains(" blocks of ", " are cached (", " of about ", " in ssd");
      String subject = start.replaceAll(".* blocks of | are cached.*", "");

      assertThat(why(name)).contains(" blocks of " + subject + " are cached (", "put: STORED");
      String question = "?as=text&why=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
      assertThat(get(page(question)))
          .contains(" blocks of " + subject + " are cached (", "put: STORED");
    }
    assertThat(why("absent")).startsWith("No record of table default:absent: ");
  }

  @Test
  void aFamilyThatHBaseDoesNotCacheIsNamed() throws Exception {
    TableName table = TableName.valueOf("uncached");
    byte[] family = Bytes.toBytes("f");
    try (Admin admin = connection.getAdmin();
        Table target = connection.getTable(table)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(family)
                      .setBlockCacheEnabled(false)
                      .build())
              .build());
      target.put(new Put(family).addColumn(family, family, family));
      admin.flush(table);
    }
    assertThat(why("uncached"))
        .contains(
            "HBase does not cache the data of default:uncached f, because BLOCKCACHE is false");
  }

  private static URI page(String rest) {
    return server.regionServerPage().resolve("/terrace" + rest);
  }

  private static String get(URI page) throws IOException {
    return IOUtils.toString(page, StandardCharsets.UTF_8);
  }

  /** Asks with the command of the tools' jar. */
  private static String why(String name) throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                HBaseInstall.tools().toString(),
                "why",
                "--server",
                "localhost:" + server.regionServerPage().getPort(),
                name)
            .redirectErrorStream(true)
            .start();
    String output = IOUtils.toString(process.getInputStream(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static List<String> requestsByHttp(Browser browser) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (String entry : browser.log("performance")) {
      JsonObject message =
          JsonParser.parseString(entry).getAsJsonObject().getAsJsonObject("message");
      if (message.get("method").getAsString().equals("Network.requestWillBeSent")) {
        JsonObject request = message.getAsJsonObject("params").getAsJsonObject("request");
        addresses.add(request.get("url").getAsString());
      }
    }
    addresses.removeIf(address -> !address.startsWith("http"));
    return addresses;
  }

  @Test
  void eachPanelOfTheBoardShowsData() throws IOException {
    JsonObject board =
        JsonParser.parseString(Files.readString(Prometheus.document("terrace-dashboard.json")))
            .getAsJsonObject();
    int queries = 0;
    for (JsonElement panel : board.getAsJsonArray("panels")) {
      JsonElement targets = panel.getAsJsonObject().get("targets");
      if (targets != null) {
        for (JsonElement target : targets.getAsJsonArray()) {
          String expression = target.getAsJsonObject().get("expr").getAsString();
          await("panel " + panel.getAsJsonObject().get("title"), asShown(expression));
          queries++;
        }
      }
    }
    assertThat(queries).isGreaterThan(20);
  }

  /** As Grafana asks for it, for all region servers and tiers. */
  private static String asShown(String expression) {
    String shown =
        expression
            .replace("$__rate_interval", "30s")
            .replace("$instance", ".+")
            .replace("$request_price", "0.0004")
            .replace("$gigabyte_price", "0")
            .replace("$tier", ".+");
    assertThat(shown).doesNotContain("$");
    return shown;
  }

  @Test
  void eachRuleHasDataAndNoneIsRaisedOnAHealthyServer() throws IOException {
    server.await(
        "all rules were evaluated",
        Patience.LIMIT,
        () ->
            prometheus.rules().stream()
                .allMatch(rule -> rule.get("health").getAsString().equals("ok")));
    List<JsonObject> rules = prometheus.rules();
    assertThat(rules).hasSizeGreaterThan(10);
    for (JsonObject rule : rules) {
      if (rule.get("type").getAsString().equals("alerting")) {
        assertThat(rule.getAsJsonObject("annotations").keySet())
            .as("annotations of %s", rule.get("name"))
            .containsExactlyInAnyOrder("summary", "action");
      }
      String expression = rule.get("query").getAsString();
      List<MatchResult> selectors = SELECTOR.matcher(expression).results().toList();
      assertThat(selectors).as(expression).isNotEmpty();
      for (MatchResult selector : selectors) {
        await("rule " + rule.get("name"), selector.group());
      }
    }
    assertThat(prometheus.query("ALERTS{alertstate=\"firing\"}")).isEmpty();
  }

  @Test
  void eachMetricOfTheDocumentsIsScraped() throws IOException {
    String readme = Files.readString(Prometheus.document("README.md"));
    List<MatchResult> names = DOCUMENTED.matcher(readme).results().toList();

    assertThat(names).hasSizeGreaterThan(25);
    for (MatchResult name : names) {
      await("metric", name.group(1));
    }
    await("a label", "terrace_refusals_total{tier=\"ssd\", reason=\"not_admitted\"}");
    await("labels", "terrace_moves_total{from=\"dram\", to=\"ssd\", outcome=\"moved\"}");
    await("an outcome", "terrace_warm_blocks_total{outcome=\"warmed\"}");
    await("a value", "terrace_capacity_bytes{tier=\"ssd\"} == " + (64L << 20));
  }
}
