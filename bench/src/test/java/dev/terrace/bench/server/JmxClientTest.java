// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JmxClientTest {

  private static final String TERRACE =
      """
      {"beans": [{
        "name": "dev.terrace:type=BlockCache,name=terrace",
        "Version": "1", "EntryPoint": "w", "StartLine": "line", "Unknown": [1],
        "Metrics": [
          {"key": "warm", "value": [{"key": "regions", "value": 1.0}]},
          {"key": "ssd", "value": %1$s},
          {"key": "dram", "value": %1$s}]}]}
      """;

  private static final String TIER =
      """
      [{"key": "capacity_bytes", "value": 1000.0}, {"key": "used_bytes", "value": 900.0},
       {"key": "pinned_bytes", "value": 0.0}, {"key": "payload_bytes", "value": 800.0},
       {"key": "blocks", "value": 7.0}, {"key": "hits_total", "value": 3.0E1},
       {"key": "misses_total", "value": 10.0}, {"key": "puts_total", "value": 9.0},
       {"key": "refusals_too_big_total", "value": 3.0},
       {"key": "faults_stall_total", "value": 2.0}, {"key": "faults_read_error_total", "value": 0.0},
       {"key": "hit_p50_seconds", "value": 1.25E-7}]
      """;

  private HttpServer server;
  private JmxClient jmx;
  private int status = 200;
  private String body = "";
  private String query;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jmx",
        exchange -> {
          query = exchange.getRequestURI().getQuery();
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    jmx = new JmxClient(URI.create("http://localhost:" + server.getAddress().getPort() + "/jmx"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void readsWhatTerraceSays() throws Exception {
    body = TERRACE.formatted(TIER);
    TerraceStats stats = TerraceStats.read(jmx).orElseThrow();
    assertThat(query).isEqualTo("qry=" + TerraceStats.QUERY);
    assertThat(stats.entryPoint()).isEqualTo("w");
    assertThat(stats.startLine()).isEqualTo("line");
    assertThat(stats.tiers()).extracting(TerraceStats.Tier::name).containsExactly("dram", "ssd");
    assertThat(stats.blocks()).isEqualTo(2 * 7);
    assertThat(stats.hits()).isEqualTo(2 * 30);
    TerraceStats.Tier tier = stats.tiers().get(0);
    assertThat(tier.faults()).isEqualTo(Map.of("STALL", 2L));
    assertThat(tier.refusals()).containsEntry("TOO_BIG", 3L);
  }

  @Test
  void aServerWithoutTerraceSaysNothing() throws Exception {
    body = "{\"beans\": []}";
    assertThat(TerraceStats.read(jmx)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "\"hits_total\", \"other\", 'hits_total', capacity_bytes",
        "9.0, \"many\", many, many"
      })
  void anAttributeThatIsMissingOrNoNumberIsNamed(
      String right, String wrong, String named, String also) {
    body = TERRACE.formatted(TIER.replace(right, wrong));
    assertThatThrownBy(() -> TerraceStats.read(jmx).orElseThrow().hits())
        .hasMessageContaining(named)
        .hasMessageContaining(also);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "503; {\"beans\": []}; 503",
        "200; <html>; JSON",
        "200; {\"beans\": [{}, {}]}; 2 beans"
      })
  void anAnswerThatIsNotOneBeanIsAnError(int answer, String page, String message) {
    status = answer;
    body = page;
    assertThatThrownBy(() -> jmx.bean("x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
  }
}
