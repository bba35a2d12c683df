// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.terrace.api.Patience;
import dev.terrace.hbase.TieredBlockCache;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page {@code /terrace} in a browser, over JSON that is made up. Pictures for a look are in
 * {@code bench/target/it/StatusPageIT}.
 */
@Tag("long")
final class StatusPageIT {

  private static final String NAME = "<b>x</b>, \"a,b\" и 'a b'";
  private static final String NAME_IN_JSON = NAME.replace("\"", "\\\"");

  private static final String TIER =
      """
      {"capacity_bytes": 4294967296, "used_bytes": %1$d, "blocks": 16384, "hits_total": %2$d,
       "misses_total": %3$d, "compression_ratio": %4$s, "hit_mean_seconds": 2.0E-7,
       "hit_p50_seconds": 2.0E-7, "refusals_busy_total": 7, "evictions_size_total": 0,
       "faults_stall_total": 2}
      """;

  private static final String LISTS =
      """
      {"rows": 20, "hitsPerSample": 1024,
       "lines": {"dram hits_total": [0, 60, 120], "dram misses_total": [0, 40, 80],
                 "ssd hits_total": [0, 30, 60], "ssd misses_total": [0, 10, 20]},
       "whatIf": {"ssd times 1/2": {"sizeBytes": 2147483648, "hitRatio": 0.9, "ssdBytesADay": 3e9},
                  "ssd times 1": {"sizeBytes": 4294967296, "hitRatio": 0.9, "ssdBytesADay": 3e9},
                  "ssd times 2": {"sizeBytes": 8589934592, "hitRatio": 0.9, "ssdBytesADay": 2e9},
                  "dram times 1": {"sizeBytes": 4294967296, "hitRatio": 0.9, "ssdBytesADay": 3e9},
                  "dram times 2": {"sizeBytes": 8589934592, "hitRatio": 0.95, "ssdBytesADay": 2e9},
                  "sample": {"seconds": 5400, "oneBlockIn": 4096, "lostAccesses": 7,
                             "hitRatio": 0.9, "error": 0.012, "ready": %2$s}},
       "lookupsByTable": {
         "read": {"dram": 614400, "ssd": 102400, "misses": 102400},
         "%1$s": {"dram": 2048, "misses": 5940}},
       "lookupsByFamily": {},
       "storeRequestsByTable": {"%1$s": {"savedRequests": 2048, "savedBytes": 4096, "readRequests": 5940,
           "readBytes": 1048576, "prefetchRequests": 7, "prefetchBytes": 2048}},
       "cachedTables": {"ssd": {"%1$s": 2048}, "dram": {"%1$s": 1048576}},
       "cachedFiles": {"ssd": {"%1$s": 2048}}, "owners": {"%1$s": ["%1$s f, region"]},
       "tableShares": {"dram": {"%1$s": {"min": 1048576, "max": 4194304, "bytes": 2097152,
           "hits": 5, "refused": 1}}},
       "lastFaults": {"ssd faults_stall_total": "2026-11-27T13:20:00Z"},
       "regionWarmup": {"bytesReadToWarm": 2048, "regionsToWarm": 1500}, "warming": "none",
       "settings": {"hbase.terrace.dram.size": {"value": "4294967296", "from": "default"},
                    "hbase.terrace.ssd.paths": {"value": "%1$s", "from": "hbase-site.xml"}}}
      """;

  private HttpServer server;
  private Browser browser;
  private URI page;
  private volatile String status =
      String.format(
          """
          {"startLine": "Terrace serves %1$s", "start": "2026-11-27T12:00:00Z",
           "time": "2026-11-27T13:30:00Z",
           "verdict": {"level": "bad", "since": "2026-11-27T13:29:00Z", "problems": [
             {"bad": true, "what": "ssd: /mnt/%1$s is out of service", "since": "2026-11-27T13:29:00Z",
              "meaning": "Its blocks are misses. Cause: EIO.", "toDo": "See dmesg."}]},
           "tiers": ["dram", "ssd"],
           "figures": {"dram": %2$s, "ssd": %3$s,
             "dram_to_ssd": {"moved_bytes_total": 62914560, "moves_moved_total": 960},
             "heap": {"copies_observer_total": 4321, "copies_mutation_total": 0}},
           "paths": [
             {"tier": "ssd", "path": "/mnt/%1$s", "state": "OUT", "words": "out of service",
              "since": "2026-11-27T13:29:00Z", "why": "EIO", "size_bytes": 2147483648,
              "used_bytes": 1073741824, "errors_total": 12, "reads_total": 100,
              "read_seconds_total": 0.02, "writes_total": 0, "write_seconds_total": 0},
             {"tier": "ssd", "path": "/mnt/other", "state": "IN_SERVICE", "words": "in service",
              "since": "2026-11-27T12:00:00Z", "why": "", "size_bytes": 2147483648, "used_bytes": 0,
              "errors_total": 0, "reads_total": 0, "read_seconds_total": 0, "writes_total": 0,
              "write_seconds_total": 0}],
           "before": {"seconds": 60.0, "figures": {}, "paths": []},
           "missesSince": "2026-11-27T13:22:00Z",
           "misses": [{"table": "%1$s", "family": "f", "read": "scan", "misses": 75},
                      {"table": "t", "family": "", "read": "compaction", "misses": 25}]}
          """,
          NAME_IN_JSON,
          String.format(TIER, 1L << 30, 6_000, 4_000, "1.0"),
          String.format(TIER, 2L << 30, 3_000, 1_000, "1.52"));

  private volatile String lists = String.format(LISTS, NAME_IN_JSON, true);

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    Optional<Browser.Install> install = Browser.Install.find();
    assumeTrue(install.isPresent(), "no Chromium with its driver");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    page = URI.create("http://localhost:" + server.getAddress().getPort() + "/terrace");
    browser = Browser.start(install.orElseThrow(), folder.resolve("profile"));
  }

  @AfterEach
  void stop() throws IOException {
    if (browser != null) {
      browser.close();
      server.stop(0);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String query = exchange.getRequestURI().getQuery();
    String body =
        switch (path) {
          case "/terrace/status.json" -> status;
          case "/terrace/lists.json" -> lists;
          case "/terrace/page.js" -> resource("page.js");
          case "/terrace/page.css" -> resource("page.css");
          default ->
              query == null || !query.contains("as=text")
                  ? resource("index.html")
                  : "1 block of " + NAME + " is cached.\n\ntier  bytes\n" + NAME + "  1 B\n";
        };
    String type =
        path.endsWith("js") ? "text/javascript" : path.endsWith("css") ? "text/css" : "text/html";
    exchange.getResponseHeaders().set("Content-Type", type + ";charset=utf-8");
    // As strict as an operator may set it in HBase.
    exchange.getResponseHeaders().set("Content-Security-Policy", "default-src 'self'");
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(body.isEmpty() ? 500 : 200, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String resource(String name) {
    try (InputStream in = TieredBlockCache.class.getResourceAsStream("web/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String text(String selector) throws IOException {
    return browser
        .run("return document.querySelector('" + selector + "').textContent")
        .getAsString();
  }

  private void open(String question) throws IOException {
    browser.open(URI.create(page + question));
    await().atMost(Patience.LIMIT).until(() -> browser.count("#settings td") > 0);
  }

  private void look(String what, int widthPixels) throws IOException {
    browser.resize(widthPixels, 900);
    browser.run("document.querySelectorAll('details').forEach(list => list.open = true)");
    for (String colors : List.of("light", "dark")) {
      browser.prefer(colors);
      String picture = what + "-" + widthPixels + "-" + colors + ".png";
      browser.screenshot(Path.of("target/it/StatusPageIT", picture));
      assertThat(browser.run("return document.documentElement.scrollWidth").getAsInt())
          .as(picture)
          .isLessThanOrEqualTo(widthPixels);
    }
  }

  @Test
  void itAnswersFromTheTop() throws Exception {
    open("");
    assertThat(text("#verdict"))
        .contains(
            "1 problem",
            "/mnt/" + NAME + " is out of service",
            "(60 s ago)",
            "See dmesg.",
            "2 tiers, 2 paths. Up for 90 min.");
    assertThat(text("#tiles")).contains("hit ratio90.0 %", "0.2 µs", "since startup 10,000");
    assertThat(text(".ends-words")).isEqualTo("dram 60.0 %ssd 30.0 %missed 10.0 %");
    assertThat(text(".tier.dram")).contains("4 GB", "25.0 %", "60.0 %");
    assertThat(text(".tier.ssd"))
        .contains("compressed 1.5 to 1", "of its lookups75.0 %", "1 GB of 2 GB, a read 200 µs")
        .contains("12 errors", "in service");
    assertThat(text("#tiers")).contains("↓ 1 MB/s down", "10.0 % of the lookups");
    assertThat(text("#misses")).contains(NAME + "fscan7575.0 %", "tcompaction2525.0 %");
    assertThat(text("#keys")).isEqualTo("all tiersdramssd");
    assertThat(browser.count("#lines path")).isEqualTo(1 + 3);
    assertThat(browser.log("browser")).isEmpty();
    look("page", 1280);
    look("page", 375);
  }

  @Test
  void namesAreNoMarkupAndListsHaveTheirFigures() throws Exception {
    open("");
    assertThat(browser.count("main b b, td b")).isZero();
    assertThat(text("#tables"))
        .contains("readabout 819,20087.5 %75.0 %12.5 %", NAME + "about 7,988–––");
    assertThat(text("#families")).contains("Nothing so far.");
    assertThat(text("#table-bytes")).contains(NAME + "1 MB2 KB");
    assertThat(text("#file-bytes")).contains(NAME + NAME + " f, region0 B2 KB");
    assertThat(text("#shares")).contains(NAME + "dram1 MB4 MB2 MB");
    assertThat(text("#moves")).contains("dram to ssdMOVED96060 MB");
    assertThat(text("#saved")).contains(NAME + "2,0484 KB5,9401 MB72 KB");
    assertThat(text("#warming")).contains("bytes read to warm2 KB", "regions to warm1,500");
    assertThat(text("#copies")).contains("observer4,321").doesNotContain("mutation");
    assertThat(text("#events")).contains("ssdrefusedBUSY7").doesNotContain("SIZE");
    assertThat(text("#faults")).contains("ssdSTALL2", "(10 min ago)");
    assertThat(text("#settings tbody tr"))
        .isEqualTo("hbase.terrace.ssd.paths" + NAME + "hbase-site.xml");
    assertThat(text("#settings")).contains("hbase.terrace.dram.size4 GBdefault");
  }

  @Test
  void adviceOnSizesComesWithItsErrorAndNotTooSoon() throws Exception {
    open("");
    assertThat(text(".advice"))
        .isEqualTo(
            "Twice the dram (8 GB) would hit 95.0 % ± 1.2 points instead of 90.0 %: 50 % fewer"
                + " reads of HFiles. Half the ssd would hit as much (± 1.2 points).");
    assertThat(text(".sizes .ssd table")).contains("ssd: hit ratio by size", "size2 GB4 GB8 GB");
    assertThat(browser.count(".sizes th[scope=row]")).isEqualTo(2 * 3);

    lists = String.format(LISTS, NAME_IN_JSON, false);
    open("");
    assertThat(text(".advice")).startsWith("No advice yet");
  }

  @Test
  void itFollowsTheServerAndTellsWhenThatIsSilent() throws Exception {
    open("");
    status = status.replace("\"level\": \"bad\"", "\"level\": \"well\"");
    await().atMost(Patience.LIMIT).until(() -> hasLevel("well"));
    status = "";
    await().atMost(Patience.LIMIT).until(() -> hasLevel("bad"));
    assertThat(text("#verdict")).contains("No answer from the server", "HTTP status 500");
  }

  private boolean hasLevel(String level) throws IOException {
    return browser.count("#verdict." + level) == 1;
  }

  @Test
  void aQuestionIsAnsweredWithSentencesAndTables() throws Exception {
    open("?why=ns:t+f");
    await().atMost(Patience.LIMIT).until(() -> text("#answer").contains(" is cached."));
    assertThat(text("#answer p")).isEqualTo("1 block of " + NAME + " is cached.");
    assertThat(text("#answer thead")).isEqualTo("tierbytes");
    assertThat(browser.run("return document.querySelector('#why').value").getAsString())
        .isEqualTo("ns:t f");
    look("why", 375);
  }
}
