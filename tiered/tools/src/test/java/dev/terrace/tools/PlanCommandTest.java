// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
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
  void simulatesASampleOfACompressedTrace() throws IOException {
    Path trace = RecordedOnDisk.make(folder);
    Path packed = folder.resolve("packed.trace.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(trace, out);
    }

    assertThat(run.run("plan", packed, "--dram", "10%", "--sample", "100")).isZero();

    Matcher simulated =
        Pattern.compile("Simulated: 1 block in (\\d+), (\\d+) blocks").matcher(run.out());
    assertThat(simulated.find()).isTrue();
    assertThat(Integer.parseInt(simulated.group(1)) * Integer.parseInt(simulated.group(2)))
        .isBetween(RecordedOnDisk.BLOCKS / 2, 2 * RecordedOnDisk.BLOCKS);
    assertThat(run.out()).containsPattern("\\| dram \\| +0 \\|.* 0.00 % \\|");
    Matcher largest =
        Pattern.compile("\\| dram \\| +4 \\|[^|]*\\| +([0-9.]+) % \\|").matcher(run.out());
    assertThat(largest.find()).isTrue();
    assertThat(Double.parseDouble(largest.group(1))).isBetween(50.0, 100.0);
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
