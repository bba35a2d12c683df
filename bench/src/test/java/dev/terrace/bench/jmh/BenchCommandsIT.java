/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
            "--caches=floor,terrace",
            "--threads=2",
            "--forks=1",
            "--warmups=0",
            "--iterations=1",
            "--time=100",
            "--json=" + json);

    assertThat(exitValue).as("%s%s", out, err).isZero();
    assertThat(out.toString())
        .contains("  latency of Terrace, 64 KB, 2 threads: ")
        .contains("  Nothing (the clock alone), 2 threads: ")
        .contains("| 64 KB | 2 threads | nothing (the clock alone) ")
        .contains("| 64 KB | 2 threads | Terrace ")
        .contains("times bare ConcurrentHashMap (floor), at least 0.3");
    JsonObject written = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    assertThat(cells(written, 0, 1).get("opsPerSecond").getAsDouble()).isPositive();
    assertThat(cells(written, 1, 2).get("cache").getAsString()).isEqualTo("Terrace");
    assertThat(cells(written, 1, 2).get("latencyP99").getAsDouble()).isPositive();
    assertThat(written.getAsJsonObject("settings").get("command").getAsString())
        .startsWith("bin/terrace bench hit --caches=floor,terrace ");
  }

  @Test
  void pausePrintsTables() throws IOException {
    Path json = directory.resolve("pause.json");

    int exitValue =
        execute("pause", "--caches=terrace", "--blocks=1000", "--seconds=1", "--json=" + json);

    assertThat(exitValue).as("%s%s", out, err).isZero();
    assertThat(out.toString())
        .containsPattern("\\| a large file is evicted +\\| Terrace +\\| ")
        .containsPattern("\\| no write ends +\\| [^|]*[0-9,]+ BUSY")
        .contains("p99.9 of a put");
    JsonObject written = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    assertThat(details(written).getAsJsonArray("stalls")).hasSize(3);
    assertThat(written.getAsJsonArray("targets")).hasSize(2);
  }

  @Test
  void guardHoldsTheBenchmarksToWhatIsPromised() throws IOException {
    Path json = directory.resolve("guard.json");

    int exitValue = execute("guard", "--only=put", "--json=" + json);

    // Whether the speed is met depends on what else the machine does.
    assertThat(exitValue).as("%s%s", out, err).isBetween(0, 1);
    assertThat(out.toString())
        .contains("[1/1] bin/terrace bench put --forks=1 --caches=terrace")
        .contains("met     put: 0.000 % dropped, none");
    JsonObject written = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    assertThat(written.getAsJsonArray("targets")).hasSize(2);
    assertThat(directory.resolve("guard/1-put.json")).exists();
  }

  @Test
  void putPrintsATable() throws IOException {
    int exitValue =
        execute(
            "put",
            "--forks=1",
            "--warmups=0",
            "--iterations=1",
            "--json=" + directory.resolve("put.json"));

    assertThat(exitValue).as("%s%s", out, err).isZero();
    assertThat(out.toString())
        .containsPattern("\\| copying the bytes \\(floor\\) +\\| ")
        .containsPattern("\\| Terrace +\\| ")
        .contains("met     0.000 % dropped, none");
  }

  @Test
  void churnPrintsATable() throws IOException {
    int exitValue =
        execute("churn", "--seconds=1", "--size=128m", "--json=" + directory.resolve("churn.json"));

    assertThat(exitValue).as("%s%s", out, err).isZero();
    assertThat(out.toString())
        .containsPattern("\\| Terrace +\\| ")
        .contains("direct memory never above");
    assertThat(directory.resolve("churn.json")).exists();
  }

  /** The cells of a row. */
  private static JsonObject cells(JsonObject result, int table, int row) {
    return result
        .getAsJsonArray("tables")
        .get(table)
        .getAsJsonObject()
        .getAsJsonArray("rows")
        .get(row)
        .getAsJsonObject()
        .getAsJsonObject("cells");
  }

  private static JsonObject details(JsonObject result) {
    return result.getAsJsonObject("details");
  }

  private int execute(String... arguments) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
