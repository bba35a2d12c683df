// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class ReplayCommandTest {

  @TempDir private Path directory;
  private Path traceFile;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeTrace() throws IOException {
    Trace trace = Traces.skewed(20_000, 1_000, 1);
    StringBuilder lines = new StringBuilder();
    for (int access = 0; access < trace.length(); access++) {
      lines.append(trace.block(access)).append('\n');
    }
    traceFile = Files.writeString(directory.resolve("skewed.trace"), lines);
  }

  private int run(String... arguments) {
    CommandLine command = new CommandLine(new ReplayCommand());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }

  @Test
  void printsTerraceAndItsPeers() {
    assertThat(run(traceFile.toString(), "--dram=10%", "--ssd=20%")).isZero();
    assertThat(out.toString())
        .contains("20,000 accesses", " left  ", "| dram")
        .contains("LRU", "W-TinyLFU", "Belady's optimum", "BucketCache");
  }

  @Test
  void writesJson() throws IOException {
    Path json = directory.resolve("deep/a.json");

    assertThat(run(traceFile.toString(), "--dram=10%", "--no-bucket-cache", "--json=" + json))
        .isZero();
    assertThat(Files.readString(json)).contains("\"replay\"", "W-TinyLFU", "bytesWritten");
    assertThat(out.toString()).doesNotContain("BucketCache");
  }

  @ParameterizedTest
  @CsvSource({
    "--dram=much, 'much' is not a size",
    "--dram=0, --dram is 0 B",
    "--dram=1k, --dram is 1 KB",
    "--block=0, --block is 0"
  })
  void namesTheOptionThatIsWrong(String option, String complaint) {
    assertThat(run(traceFile.toString(), option)).isEqualTo(2);
    assertThat(err.toString()).contains(complaint);
  }

  @Test
  void namesTheFileThatIsNotThere() {
    assertThat(run(directory.resolve("none.gz").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("no such file", "none.gz");
  }

  @Test
  void aTierOfLessThanABlockIsAnError() {
    for (String option : new String[] {"--dram", "--pmem", "--ssd"}) {
      assertThat(run(traceFile.toString(), option + "=1")).as(option).isEqualTo(2);
      assertThat(err.toString())
          .contains(option + " is 1 B, which is less than one block of this trace; make it larger");
    }
  }

  @Test
  void writingEverythingCostsMoreThanWhatEnduranceWrites() throws IOException {
    Path all = directory.resolve("all.json");
    Path spared = directory.resolve("spared.json");
    String[] tiers = {"--dram=5%", "--pmem=10%", "--ssd=10%", "--no-bucket-cache"};
    assertThat(run(with(tiers, traceFile.toString(), "--write-all", "--json=" + all))).isZero();
    assertThat(run(with(tiers, traceFile.toString(), "--endurance", "--json=" + spared))).isZero();
    assertThat(written(all)).isGreaterThan(2 * written(spared));
    assertThat(Files.readString(all)).contains("EVERYTHING", "bytesRewritten");

    assertThat(run(with(tiers, traceFile.toString(), "--write-all", "--endurance"))).isEqualTo(2);
    assertThat(err.toString()).contains("give one of them");
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
  }

  /** The sum over all tiers below DRAM. */
  private static long written(Path json) throws IOException {
    long sum = 0;
    JsonArray tiers =
        JsonParser.parseString(Files.readString(json))
            .getAsJsonObject()
            .getAsJsonArray("tables")
            .get(0)
            .getAsJsonObject()
            .getAsJsonArray("rows");
    for (int i = 1; i < tiers.size(); i++) {
      JsonObject tier = tiers.get(i).getAsJsonObject().getAsJsonObject("cells");
      sum += tier.get("bytesWritten").getAsLong() + tier.get("bytesRewritten").getAsLong();
    }
    return sum;
  }
}
