// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Picture;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.soak.Soak.Figure;
import dev.terrace.bench.soak.Soak.Sample;
import dev.terrace.bench.soak.Soak.Trend;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A soak of a JMX page that tells of this JVM's process. */
final class SoakTest {

  private static final int MEBIBYTE = 1 << 20;

  @TempDir private Path folder;
  private HttpServer server;
  private int threads = 90;

  private Map<String, String> beans() {
    return Map.of(
        "java.lang:type=Runtime",
        "{'Pid': " + ProcessHandle.current().pid() + "}",
        "java.lang:type=MemoryPool,*",
        "{'Type': 'HEAP', 'CollectionUsage': {'used': 3145728}},"
            + "{'Type': 'HEAP', 'CollectionUsage': {'used': 4194304}},"
            + "{'Type': 'NON_HEAP', 'CollectionUsage': null}",
        "Hadoop:service=HBase,name=RegionServer,sub=Server",
        "{'memStoreSize': " + 2 * MEBIBYTE + "}",
        "java.nio:type=BufferPool,name=direct",
        "{'MemoryUsed': " + 20 * MEBIBYTE + "}",
        "java.nio:type=BufferPool,name=mapped",
        "{'MemoryUsed': " + 34 * MEBIBYTE + "}",
        "java.lang:type=OperatingSystem",
        "{'OpenFileDescriptorCount': 200}",
        "java.lang:type=Threading",
        "{'ThreadCount': " + threads + "}",
        "dev.terrace:type=BlockCache,*",
        "{'Version': '1', 'EntryPoint': 'w', 'StartLine': 'line', 'Figures': ["
            + tier("dram", 16)
            + ","
            + tier("pmem", 32)
            + ","
            + tier("ssd", 64)
            + "]}");
  }

  private static String tier(String name, int mebibytes) {
    StringBuilder figures = new StringBuilder();
    List.of("used_bytes", "payload_bytes", "blocks", "hits_total", "misses_total", "puts_total")
        .forEach(figure -> figures.append("{'key': '" + figure + "', 'value': 1},"));
    return "{'key': '"
        + name
        + "', 'value': ["
        + figures
        + "{'key': 'written_bytes_total', 'value': 1}, {'key': 'pinned_bytes', 'value': 512},"
        + " {'key': 'capacity_bytes', 'value': "
        + mebibytes * MEBIBYTE
        + "}]}";
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jmx",
        exchange -> {
          String query = exchange.getRequestURI().getQuery().substring("qry=".length());
          byte[] body =
              ("{'beans': [" + beans().getOrDefault(query, "") + "]}")
                  .replace('\'', '"')
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private ServerProbe probe() throws IOException {
    Path caches = Files.createDirectories(folder.resolve("caches/terrace"));
    Files.write(caches.resolve("superblock"), new byte[12_288]);
    JmxClient jmx =
        new JmxClient(URI.create("http://localhost:" + server.getAddress().getPort() + "/jmx"));
    return new ServerProbe("rs1", jmx, folder.resolve("server.log"), List.of(caches.getParent()));
  }

  @Test
  void aSampleHasAllFiguresBesideTheTiers() throws IOException {
    ServerProbe probe = probe();
    Files.writeString(folder.resolve("server.log"), "a line\n");
    Sample sample = probe.sample(30);

    assertThat(sample.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(sample.figures())
        .containsOnlyKeys(Figure.values())
        .containsEntry(Figure.HEAP, 5.0 * MEBIBYTE)
        .containsEntry(Figure.DIRECT, 4.0 * MEBIBYTE)
        .containsEntry(Figure.MAPPED, 2.0 * MEBIBYTE)
        .containsEntry(Figure.DESCRIPTORS, 200.0)
        .containsEntry(Figure.THREADS, 90.0)
        .containsEntry(Figure.LEASED, 1_536.0)
        .containsEntry(Figure.FILES, 12_288.0 - 96 * MEBIBYTE)
        .hasEntrySatisfying(Figure.MAPPINGS, mappings -> assertThat(mappings).isPositive())
        .hasEntrySatisfying(Figure.LOG, bytes -> assertThat(bytes).isPositive())
        .hasEntrySatisfying(
            Figure.RESIDENT, bytes -> assertThat(bytes).isGreaterThan(-16.0 * MEBIBYTE));
  }

  private static Result result(Soak soak) {
    CommandLine running = new CommandLine(CommandSpec.create());
    running.parseArgs();
    Result result = new Result("fire", "Fire", "", new Machine(), running);
    soak.addTo(result);
    return result;
  }

  @Test
  void aSoakEndsWithAPlotAndTrends() throws IOException {
    Soak soak = new Soak(Duration.ofHours(2));
    assertThat(soak.interval()).isEqualTo(Duration.ofSeconds(30));
    ServerProbe probe = probe();
    soak.sample(probe);
    soak.sample(probe);

    Result result = result(soak);

    assertThat(result.targets()).isEmpty();
    StringWriter printed = new StringWriter();
    ResultText.print(result, new PrintWriter(printed));
    assertThat(printed.toString()).contains("No process lived for 60 samples");
    Path svg = folder.resolve("soak.svg");
    Picture.write(result.tables(), svg);
    assertThat(svg)
        .content()
        .startsWith("<svg")
        .contains("live heap, MiB", "descriptors", "rs1")
        .doesNotContain("NaN");
  }

  @Test
  void aFigureThatGrowsFailsASoak() {
    Soak soak = new Soak(Duration.ofHours(2));
    for (int i = 0; i < Trend.LEAST_SAMPLES; i++) {
      soak.add(TrendTest.sample(1, i, Figure.THREADS, 3.0 * i));
    }

    assertThat(result(soak).targets())
        .hasSize(Figure.values().length)
        .filteredOn(target -> !target.met())
        .extracting(Target::text)
        .containsExactly("rs1, process 1: threads: 66.0, then 126.0, at most 30.0 more");
  }

  @Test
  void aServerThatIsDownHasNoSample() throws IOException {
    ServerProbe probe = probe();
    server.stop(0);
    assertThatThrownBy(() -> probe.sample(0)).isInstanceOf(IOException.class);
  }
}
