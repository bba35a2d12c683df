// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.BenchCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands, with their forks, as short as they go. */
@Tag("long")
final class BenchCommandsIT {

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void hitPrintsATableAndWritesJson() throws IOException {
    Path json = directory.resolve("hit.json");

    int exitValue =
        execute(
            "hit",
            "-p=cache=TERRACE",
            "-t=2",
            "-f=1",
            "-wi=0",
            "-i=1",
            "-r=100ms",
            "--json=" + json);

    assertThat(exitValue).as("%s%s", out, err).isZero();
    assertThat(out.toString())
        .contains("  Terrace, 64 KB, 2 threads: ")
        .contains("| 64 KB | 2 threads | map (floor) ")
        .contains("| 64 KB | 2 threads | Terrace ")
        .contains("times the floor, at least 0.3");
    JsonObject written = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    JsonObject row =
        written
            .getAsJsonArray("tables")
            .get(0)
            .getAsJsonObject()
            .getAsJsonArray("rows")
            .get(1)
            .getAsJsonObject()
            .getAsJsonObject("cells");
    assertThat(row.get("cache").getAsString()).isEqualTo("Terrace");
    assertThat(row.get("opsPerSecond").getAsDouble()).isPositive();
    assertThat(written.getAsJsonObject("settings").get("command").getAsString())
        .startsWith("bin/terrace bench hit -p=cache=TERRACE ");
  }

  @Test
  void guardHoldsAPartToWhatIsPromised() throws IOException {
    Path json = directory.resolve("guard.json");

    int exitValue = execute("guard", "--only=stall,memory", "--blocks=1000", "--json=" + json);

    // Fewer blocks than the promises are made for count as missed.
    assertThat(exitValue).as("%s%s", out, err).isEqualTo(1);
    assertThat(out.toString())
        .containsPattern("\\| no write ends +\\| [^|]*[0-9,]+ BUSY")
        .containsPattern("\\| Terrace SSD tier +\\|")
        .contains("memory: 1 promises checked, at least 11");
    JsonObject written = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    assertThat(written.getAsJsonArray("targets")).hasSize(4);
  }

  private int execute(String... arguments) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
