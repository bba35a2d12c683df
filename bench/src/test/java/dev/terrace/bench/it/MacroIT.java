// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.terrace.bench.TerraceLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small {@code bench macro} against real servers, from its options to its JSON. */
@Tag("hadoop")
@Tag("long")
final class MacroIT {

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
    List<JsonObject> clients = TerraceLine.cells(json, 0);
    List<JsonObject> servers = TerraceLine.cells(json, 1);
    String reads = "YCSB C with uniform keys";
    String updates = "YCSB A: 50 % reads, 50 % updates, Zipf";
    assertThat(clients)
        .extracting(
            cells -> cells.get("workload").getAsString(), cells -> cells.get("cache").getAsString())
        .containsExactly(
            tuple(reads, "HBase BucketCache offheap"),
            tuple(reads, "Terrace DRAM + PMem + SSD"),
            tuple(updates, "HBase BucketCache offheap"),
            tuple(updates, "Terrace DRAM + PMem + SSD"));
    clients.forEach(MacroIT::assertComplete);
    assertThat(servers)
        .hasSize(4)
        .allSatisfy(
            cells -> {
              assertThat(cells.get("serverCpuMicros").getAsDouble()).isPositive();
              assertThat(cells.get("switches").getAsDouble()).isPositive();
            });
  }

  private static void assertComplete(JsonObject cells) {
    assertThat(cells.get("opsPerSecond").getAsDouble()).isGreaterThan(50);
    // The data fits into the caches, and was read once before.
    assertThat(cells.get("dataHitRatio").getAsDouble()).isBetween(0.9, 1.0);
    assertThat(cells.get("p50").getAsDouble()).isPositive();
    assertThat(cells.get("p99").getAsDouble())
        .isBetween(cells.get("p50").getAsDouble(), cells.get("max").getAsDouble());
    boolean isTerrace = cells.get("cache").getAsString().startsWith("Terrace");
    assertThat(cells.has("pmemHits")).isEqualTo(isTerrace);
    assertThat(cells.has("ssdHits")).isEqualTo(isTerrace);
    if (isTerrace) {
      assertThat(cells.get("dramHits").getAsDouble()).isPositive();
    }
  }
}
