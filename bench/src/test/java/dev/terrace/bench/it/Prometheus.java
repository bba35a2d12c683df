// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.bench.it.Browser.Install;
import dev.terrace.bench.server.FreePorts;
import dev.terrace.bench.server.HBaseInstall;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** A Prometheus in a process of its own, its tool, and what is in docs/monitoring for it. */
final class Prometheus implements Closeable {

  private static final String CONFIGURATION = "prometheus.yml";

  private final Process process;
  private final URI api;
  private final HttpClient http = HttpClient.newHttpClient();

  private Prometheus(Process process, URI api) {
    this.process = process;
    this.api = api;
  }

  /** Skips the test if the programs are not there; where {@code CI} is {@code true}, fails it. */
  static void requireInstalled() {
    String missing =
        "no prometheus and promtool on the PATH; on Debian: apt-get install prometheus";
    if (!Stream.of("prometheus", "promtool").allMatch(each -> Install.onPath(each).isPresent())) {
      assertThat(System.getenv("CI")).as(missing).isNotEqualTo("true");
      assumeTrue(false, missing);
    }
  }

  /** Runs promtool in docs/monitoring; returns its output if it succeeds. */
  static String promTool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    Process tool =
        new ProcessBuilder(command)
            .directory(document("").toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tool.waitFor()).as("%s: %s", command, output).isZero();
    return output;
  }

  /** Returns a file of docs/monitoring. */
  public static Path document(String name) throws IOException {
    return HBaseInstall.home().resolve("docs/monitoring").resolve(name);
  }

  /**
   * Starts one with the configuration and the rules of docs/monitoring.
   *
   * @param target the region server's host and port
   * @param seconds how often it looks at the server
   * @param folder an empty folder
   */
  public static Prometheus start(String target, int seconds, Path folder) throws IOException {
    String configuration =
        Files.readString(document(CONFIGURATION))
            .replace("REGIONSERVER:16030", target)
            .replace("15s", seconds + "s");
    Files.writeString(folder.resolve(CONFIGURATION), configuration);
    Files.copy(document("terrace-alerts.yml"), folder.resolve("terrace-alerts.yml"));
    int port = FreePorts.next();
    Process process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + folder.resolve(CONFIGURATION),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    return new Prometheus(process, URI.create("http://127.0.0.1:" + port + "/api/v1/"));
  }

  /** Returns the values that an expression has now; those that are no number are left out. */
  public List<Double> query(String expression) throws IOException {
    List<Double> values = new ArrayList<>();
    String encoded = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    for (JsonElement sample : data("query?query=" + encoded).getAsJsonArray("result")) {
      double value = sample.getAsJsonObject().getAsJsonArray("value").get(1).getAsDouble();
      if (!Double.isNaN(value)) {
        values.add(value);
      }
    }
    return values;
  }

  /** Returns the rules, each with its {@code health}. */
  public List<JsonObject> rules() throws IOException {
    List<JsonObject> rules = new ArrayList<>();
    for (JsonElement group : data("rules").getAsJsonArray("groups")) {
      group.getAsJsonObject().getAsJsonArray("rules").forEach(r -> rules.add(r.getAsJsonObject()));
    }
    return rules;
  }

  private JsonObject data(String request) throws IOException {
    try {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(api.resolve(request)).build(),
              HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        // While it starts, it answers with plain text.
        throw new IOException(request + ": " + response.statusCode() + " " + response.body());
      }
      return JsonParser.parseString(response.body()).getAsJsonObject().getAsJsonObject("data");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + request, e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().completeOnTimeout(null, 10, TimeUnit.SECONDS).join();
    process.destroyForcibly();
  }
}
