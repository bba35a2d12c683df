// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.terrace.bench.TerraceLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small {@code bench macro} against real servers, from its options to its JSON. */
@Tag("hadoop")
@Tag("long")
final class MacroIT {

  private static final List<String> FIGURES =
      List.of(
          "seconds",
          "operations",
          "errors",
          "opsPerSecond",
          "latencyNanos",
          "serverCpuSeconds",
          "clientCpuSeconds",
          "idleShare",
          "gcMillis",
          "contextSwitches",
          "dataHitRatio");

  @TempDir Path folder;

  @Test
  void measuresTwoCachesUnderTwoLoadsAndLeavesNothingBehind() throws IOException {
    Path json = folder.resolve("macro.json");
    Path work = Files.createDirectory(folder.resolve("work"));
    TerraceLine terrace = new TerraceLine();
    int exit =
        terrace.run(
            "bench",
            "macro",
            "--configurations=bucket-offheap,terrace-all",
            "--workloads=ycsb-c-uniform,ycsb-a",
            "--rows=20000",
            "--rounds=1",
            "--seconds=1",
            "--warm-up=2",
            "--threads=2",
            "--dir=" + work,
            "--pmem=" + work,
            "--json=" + json);
    assertThat(exit).as(terrace.err()).isZero();
    assertThat(terrace.out())
        .containsPattern("All [0-9,]+ rows that were read and checked had the right values")
        .contains("| HBase BucketCache offheap")
        .contains("| Terrace DRAM + PMem + SSD");
    assertThat(work).isEmptyDirectory();

    JsonObject report = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    assertThat(report.get("name").getAsString()).isEqualTo("macro");
    assertThat(report.getAsJsonObject("settings").get("rows").getAsLong()).isEqualTo(20_000);
    List<JsonObject> results =
        objects(report.getAsJsonObject("details").getAsJsonArray("runs")).toList();
    assertThat(results)
        .extracting(
            result -> result.get("workload").getAsString(),
            result -> result.get("configuration").getAsString())
        .containsExactly(
            tuple("ycsb-c-uniform", "bucket-offheap"),
            tuple("ycsb-c-uniform", "terrace-all"),
            tuple("ycsb-a", "bucket-offheap"),
            tuple("ycsb-a", "terrace-all"));
    results.forEach(MacroIT::assertComplete);
  }

  private static Stream<JsonObject> objects(Iterable<JsonElement> array) {
    List<JsonObject> objects = new ArrayList<>();
    array.forEach(element -> objects.add(element.getAsJsonObject()));
    return objects.stream();
  }

  private static void assertComplete(JsonObject result) {
    List<JsonObject> runs = objects(result.getAsJsonArray("runs")).toList();
    assertThat(runs).hasSize(1);
    JsonObject run = runs.get(0);
    assertThat(run.keySet()).containsAll(FIGURES);
    assertThat(run.get("operations").getAsLong()).isGreaterThan(50);
    assertThat(run.get("opsPerSecond").getAsDouble()).isPositive();
    assertThat(run.get("errors").getAsLong()).isZero();
    assertThat(run.get("serverCpuSeconds").getAsDouble()).isPositive();
    assertThat(run.get("contextSwitches").getAsLong()).isPositive();
    // The data fits into the caches, and was read once before.
    assertThat(run.get("dataHitRatio").getAsDouble()).isBetween(0.9, 1.0);
    JsonObject latency = run.getAsJsonObject("latencyNanos");
    assertThat(latency.get("p50").getAsDouble()).isPositive();
    assertThat(latency.get("p99").getAsDouble())
        .isBetween(latency.get("p50").getAsDouble(), latency.get("max").getAsDouble());
    boolean terrace = result.get("configuration").getAsString().startsWith("terrace");
    assertThat(run.has("tierHits")).isEqualTo(terrace);
    if (terrace) {
      JsonObject hits = run.getAsJsonObject("tierHits");
      assertThat(hits.keySet()).containsExactly("dram", "pmem", "ssd");
      assertThat(hits.get("dram").getAsLong()).isPositive();
    }
  }
}
