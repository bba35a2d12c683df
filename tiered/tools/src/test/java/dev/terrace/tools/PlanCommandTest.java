// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlanCommandTest {

  @TempDir private Path folder;

  private final CommandRun run = new CommandRun();

  @Test
  void printsEachSizeOfEachTier() throws IOException {
    assertThat(run.run("plan", RecordedOnDisk.make(folder), "--dram", "10m", "--ssd", "20m"))
        .isZero();
    assertThat(run.out())
        .contains("5,000 accesses", "Recorded from", "Simulated: 1 block in 1, ")
        .contains("| dram |   1/2 |      5 MB |", "| ssd  |     4 |     80 MB |");
  }

  @Test
  void writesJson() throws IOException {
    Path trace = RecordedOnDisk.make(folder);
    Path packed = folder.resolve("packed.trace.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(trace, out);
    }

    assertThat(run.run("plan", packed, "--dram", "10%", "--json", "--sample", "100")).isZero();

    JsonObject object = JsonParser.parseString(run.out()).getAsJsonObject();
    JsonArray outlooks = object.getAsJsonArray("outlooks");
    assertThat(outlooks).hasSize(5);
    assertThat(outlooks.get(0).getAsJsonObject().get("hitRatio").getAsDouble()).isZero();
    assertThat(outlooks.get(4).getAsJsonObject().get("hitRatio").getAsDouble()).isBetween(0.5, 1.0);
    int oneIn = object.get("oneBlockIn").getAsInt();
    assertThat(object.get("sampledBlocks").getAsInt() * oneIn)
        .isBetween(object.get("distinctBlocks").getAsInt() / 2, 2 * RecordedOnDisk.BLOCKS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--dram=1", "--dram=much", "--dram=0", "--block=0"})
  void refusesWrongSizes(String option) throws IOException {
    assertThat(run.run("plan", RecordedOnDisk.make(folder), option)).isEqualTo(2);
    assertThat(run.err().lines()).singleElement().asString().contains("--", "--help)");
  }

  @Test
  void namesTheFileThatIsNoTrace() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "no trace, but long enough for a header");

    assertThat(run.run("plan", text)).isEqualTo(2);
    assertThat(run.err()).contains(text.toString(), "not a recorded trace");
    assertThat(run.run("plan", folder.resolve("none"))).isEqualTo(2);
    assertThat(run.err()).contains("no such file", "none");
  }
}
