// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.terrace.bench.fire.Soak.Figure;
import dev.terrace.bench.fire.Soak.Probe;
import dev.terrace.bench.fire.Soak.Sample;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Picture;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.server.JmxClient;
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
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A soak of a JMX page that tells of this JVM's process. */
final class SoakTest {

  private static final int MEBIBYTE = 1 << 20;
  private static final int SAMPLES = 240;

  @TempDir private Path folder;
  private HttpServer server;

  private static Map<String, String> beans() {
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
        "{'ThreadCount': 90}",
        "dev.terrace:type=BlockCache,*",
        "{'Version': '1', 'EntryPoint': 'w', 'StartLine': 'line', 'Metrics': ["
            + tier("dram", 16)
            + ","
            + tier("pmem", 32)
            + ","
            + tier("ssd", 64)
            + "]}");
  }

  private static String tier(String name, int mebibytes) {
    return Stream.of(
            "used_bytes payload_bytes pinned_bytes capacity_bytes blocks hits_total misses_total"
                .split(" "))
        .map(key -> "{'key': '" + key + "', 'value': " + mebibytes * MEBIBYTE + "},")
        .collect(
            Collectors.joining(
                "",
                "{'key': '" + name + "', 'value': [",
                "{'key': 'puts_total', 'value': 1}, {'key': 'written_bytes_total', 'value': 1}]}"));
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

  private Probe probe() throws IOException {
    Path caches = Files.createDirectories(folder.resolve("caches/terrace"));
    Files.write(caches.resolve("superblock"), new byte[12_288]);
    JmxClient jmx =
        new JmxClient(URI.create("http://localhost:" + server.getAddress().getPort() + "/jmx"));
    return new Probe("rs1", jmx, folder.resolve("server.log"), List.of(caches.getParent()));
  }

  @Test
  void aSampleHasAllFiguresBesideTheTiers() throws IOException {
    Probe probe = probe();
    Files.writeString(folder.resolve("server.log"), "a line\n");
    Sample sample = probe.sample(30);

    assertThat(sample.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(sample.figures())
        .containsOnlyKeys(Figure.values())
        .containsEntry(Figure.HEAP, 5.0)
        .containsEntry(Figure.DIRECT, 4.0)
        .containsEntry(Figure.MAPPED, 2.0)
        .containsEntry(Figure.DESCRIPTORS, 200.0)
        .containsEntry(Figure.THREADS, 90.0)
        .containsEntry(Figure.LEASED, 112.0)
        .containsEntry(Figure.FILES, 12_288.0 / MEBIBYTE - 96)
        .hasEntrySatisfying(Figure.MAPPINGS, mappings -> assertThat(mappings).isPositive())
        .hasEntrySatisfying(Figure.LOG, bytes -> assertThat(bytes).isPositive())
        .hasEntrySatisfying(Figure.RESIDENT, mebibytes -> assertThat(mebibytes).isGreaterThan(-16));
  }

  private static Result result(List<Sample> samples) {
    Soak soak = new Soak(Duration.ofHours(2));
    samples.forEach(soak::add);
    CommandLine running = new CommandLine(CommandSpec.create());
    running.parseArgs();
    Result result = new Result("fire", "Fire", "", new Machine(), running);
    soak.addTo(result);
    return result;
  }

  @Test
  void aSoakEndsWithAPlot() throws IOException {
    Probe probe = probe();
    Result result = result(List.of(probe.sample(0), probe.sample(30)));

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

  /** A life in which one figure takes these values, and the others stay as they are. */
  private static List<Sample> life(long pid, Figure figure, IntToDoubleFunction value) {
    List<Sample> life = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      Map<Figure, Double> figures = new EnumMap<>(Figure.class);
      for (Figure each : Figure.values()) {
        figures.put(each, each == figure ? value.applyAsDouble(i) : 100.0);
      }
      life.add(new Sample("rs1", pid, 30 * i, figures));
    }
    return life;
  }

  private static List<String> growing(List<Sample> samples) {
    return Soak.trends(samples).stream()
        .filter(trend -> !trend.met())
        .map(trend -> trend.text().split(": ", -1)[1])
        .toList();
  }

  /** A rise for each sample of twice what is let pass from one third to the next. */
  private static double leak(Figure figure) {
    return 2 * figure.maxGrowth / (SAMPLES / 3);
  }

  @ParameterizedTest
  @EnumSource(Figure.class)
  void aLeakIsFound(Figure figure) {
    assertThat(growing(life(1, figure, i -> 1_000 + leak(figure) * i)))
        .containsExactly(figure.title);
  }

  @Test
  void aLeakIsFoundBelowALoadThatComesAndGoes() {
    SplittableRandom random = new SplittableRandom(16);
    double aSample = leak(Figure.HEAP);
    assertThat(growing(life(1, Figure.HEAP, i -> aSample * i + random.nextDouble(100))))
        .containsExactly(Figure.HEAP.title);
  }

  @Test
  void loadThatComesAndGoesIsNoLeak() {
    assertThat(growing(life(1, Figure.HEAP, i -> i % 5 == 0 ? 0 : i / 4.0))).isEmpty();
  }

  @Test
  void fillingInTheFirstThirdIsNoLeak() {
    assertThat(growing(life(1, Figure.DIRECT, i -> Math.min(i, SAMPLES / 3)))).isEmpty();
  }

  @Test
  void aRestartBeginsANewLife() {
    List<Sample> samples = life(1, Figure.THREADS, i -> 100);
    samples.addAll(life(2, Figure.THREADS, i -> 200));
    assertThat(growing(samples)).isEmpty();
    samples.addAll(life(3, Figure.THREADS, i -> 100 + i));
    assertThat(result(samples).targets())
        .hasSize(3 * Figure.values().length)
        .filteredOn(target -> !target.met())
        .extracting(Target::text)
        .containsExactly("rs1, process 3: threads: 188.0, then 268.0, at most 30.0 more");
  }

  @Test
  void aShortLifeProvesNothing() {
    List<Sample> life = life(1, Figure.THREADS, i -> 1_000 * i);
    assertThat(Soak.trends(life.subList(0, Soak.MIN_SAMPLES - 1))).isEmpty();
    assertThat(Soak.trends(life.subList(0, Soak.MIN_SAMPLES))).isNotEmpty();
  }
}
