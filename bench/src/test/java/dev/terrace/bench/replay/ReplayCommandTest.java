// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.TerraceLine;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplayCommandTest {

  @TempDir private Path directory;
  private Path traceFile;
  private final TerraceLine terrace = new TerraceLine();

  @BeforeEach
  void writeTrace() throws IOException {
    Trace trace = Traces.skewed(20_000, 1_000, 1);
    StringBuilder lines = new StringBuilder();
    for (int access = 0; access < trace.length(); access++) {
      lines.append(trace.block(access)).append('\n');
    }
    traceFile = Files.writeString(directory.resolve("skewed.trace"), lines);
  }

  private int run(String... options) {
    return terrace.run("replay", Stream.concat(Stream.of(traceFile), Stream.of(options)).toArray());
  }

  @Test
  void printsTerraceAndItsPeers() {
    assertThat(run("--dram=10%", "--ssd=20%", "--json=" + directory.resolve("a.json"))).isZero();
    assertThat(terrace.out())
        .contains("20,000 accesses", " left  ", "| dram")
        .contains("LRU", "W-TinyLFU", "Belady's optimum", "BucketCache");
  }

  @Test
  void writesJson() throws IOException {
    Path json = directory.resolve("deep/a.json");

    assertThat(run("--dram=10%", "--no-bucket-cache", "--json=" + json)).isZero();
    assertThat(Files.readString(json)).contains("\"replay\"", "W-TinyLFU", "bytesWritten");
    assertThat(terrace.out()).doesNotContain("BucketCache");
  }

  @Test
  void namesTheFileThatIsNotThere() {
    assertThat(terrace.run("replay", directory.resolve("none.gz"))).isEqualTo(1);
    assertThat(terrace.err()).contains("no such file", "none.gz");
  }

  @Test
  void writingEverythingCostsMoreThanWhatEnduranceWrites() throws IOException {
    Path all = directory.resolve("all.json");
    Path spared = directory.resolve("spared.json");
    assertThat(runTiers("--write-all", "--json=" + all)).isZero();
    assertThat(runTiers("--endurance", "--json=" + spared)).isZero();
    assertThat(written(all)).isGreaterThan(2 * written(spared));
    assertThat(Files.readString(all)).contains("EVERYTHING", "bytesRewritten");

    assertThat(runTiers("--write-all", "--endurance")).isEqualTo(2);
    assertThat(terrace.err()).contains("give one of them");
  }

  private int runTiers(String first, String second) {
    return run("--dram=5%", "--pmem=10%", "--ssd=10%", "--no-bucket-cache", first, second);
  }

  /** The sum over all tiers below DRAM. */
  private static long written(Path json) throws IOException {
    return TerraceLine.cells(json, 0).stream()
        .skip(1)
        .mapToLong(
            tier -> tier.get("bytesWritten").getAsLong() + tier.get("bytesRewritten").getAsLong())
        .sum();
  }
}
