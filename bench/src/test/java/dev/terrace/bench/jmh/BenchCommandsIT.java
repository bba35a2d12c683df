// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.terrace.bench.TerraceLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands, with their forks, as short as they go. */
@Tag("long")
final class BenchCommandsIT {

  @TempDir Path directory;

  private final TerraceLine terrace = new TerraceLine();

  @Test
  void hitPrintsATableAndWritesJson() throws IOException {
    Path json = directory.resolve("hit.json");

    int exitValue =
        terrace.run(
            "bench",
            "hit",
            "-p=cache=TERRACE",
            "-t=2",
            "-f=1",
            "-wi=0",
            "-i=1",
            "-r=100ms",
            "--json=" + json);

    assertThat(exitValue).as("%s%s", terrace.out(), terrace.err()).isZero();
    assertThat(terrace.out())
        .contains("  Terrace, 64 KB, 2 threads: ")
        .contains("| 64 KB | 2 threads | map (floor) ")
        .contains("| 64 KB | 2 threads | Terrace ")
        .contains("times the floor, at least 0.25");
    JsonObject row = TerraceLine.cells(json, 0).get(1);
    assertThat(row.get("cache").getAsString()).isEqualTo("Terrace");
    assertThat(row.get("opsPerSecond").getAsDouble()).isPositive();
    assertThat(Files.readString(json)).contains("\"bin/terrace bench hit -p=cache=TERRACE ");
  }

  @Test
  void guardHoldsAPartToWhatIsPromised() throws IOException {
    Path json = directory.resolve("guard.json");

    int exitValue =
        terrace.run("bench", "guard", "--only=memory", "--blocks=1000", "--json=" + json);

    // Fewer blocks than the promises are made for count as missed.
    assertThat(exitValue).as("%s%s", terrace.out(), terrace.err()).isEqualTo(1);
    assertThat(terrace.out())
        .containsPattern("\\| Terrace SSD tier +\\|")
        .contains("memory: 1 promises checked, at least 11");
    JsonObject written = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    assertThat(written.getAsJsonArray("targets")).hasSize(2);
  }

  @Test
  void dayMeasuresWhatGrowsWithTheCache() throws IOException {
    assumeThat(System.getProperty("user.name")).as("mounts a disk").isEqualTo("root");
    Path json = directory.resolve("day.json");

    int exitValue = terrace.run("bench", "day", "--parts=400", "--json=" + json);

    assertThat(exitValue).as("%s%s", terrace.out(), terrace.err()).isZero();
    assertThat(terrace.out())
        .containsPattern("\\| all blocks put +\\|")
        .containsPattern("\\| each 10 s: evict-first files +\\|")
        .containsPattern("\\| stop, with blocks in DRAM +\\|");
  }
}
