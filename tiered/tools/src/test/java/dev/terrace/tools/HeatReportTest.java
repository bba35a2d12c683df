// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.warm.list.HeatList;
import dev.terrace.hbase.warm.list.HeatList.Mark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HeatReportTest {

  @TempDir private Path region;

  private final CommandRun run = new CommandRun();
  private Path file;
  private byte[] bytes;

  @BeforeEach
  void write() throws IOException {
    HeatList.Blocks hot = new HeatList.Blocks();
    hot.add(0, 2048, Mark.of(0, true, 3));
    hot.add(2_100, 65_536, Mark.of(0, false, 2));
    hot.add(70_000, 65_536, Mark.of(2, false, 0));
    HeatList.Blocks cold = new HeatList.Blocks();
    cold.add(0, 65_536, Mark.of(2, false, 0));
    bytes = new HeatList(0, List.of(cold.of("cold"), hot.of("hot"))).encoded();
    file = Files.write(region.resolve(".terrace-heat"), bytes);
  }

  @Test
  void aListIsShownByTierAndByFileTheHottestFirst() {
    assertThat(run.run("inspect", region)).as(run.err()).isZero();
    assertThat(run.out())
        .isEqualTo(
            region
                + """
                : 4 blocks of 2 files, written at 1970-01-01T00:00:00Z

                tier  blocks   bytes  hit  index, bloom
                dram       2   66 KB    2             1
                ssd        2  128 KB    0             0

                file  blocks   bytes  hit  index, bloom
                hot        3  130 KB    2             1
                cold       1   64 KB    0             0
                """);
    assertThat(run.run("inspect", file, "--files", 1)).isZero();
    assertThat(run.out())
        .contains("hot ")
        .doesNotContain("cold")
        .endsWith("and 1 more (--files all)\n");
  }

  @Test
  void whatIsNoListOfThisVersionIsNamed() throws IOException {
    byte[] newer = bytes.clone();
    newer[11]++;
    assertFails(newer, 3, " was written by another version of Terrace: version=2, and 1 is read");
    assertFails(Arrays.copyOf(bytes, bytes.length - 1), 1, " is damaged: checksum of ");
    assertFails(new byte[0], 1, " is damaged: bytes=0, not a list of heat; servers leave it out");
    byte[] other = bytes.clone();
    other[0]++;
    assertFails(other, 1, " is damaged: magic=55");

    Files.delete(file);
    assertThat(run.run("inspect", file)).isEqualTo(2);
    assertThat(run.err()).contains(" does not exist: no server wrote a list of the region");
    Files.createDirectory(file);
    assertThat(run.run("inspect", region)).isEqualTo(2);
    assertThat(run.err()).contains(" cannot be read: ");
  }

  private void assertFails(byte[] list, int exitValue, String reason) throws IOException {
    Files.write(file, list);
    assertThat(run.run("inspect", file)).isEqualTo(exitValue);
    assertThat(run.err()).startsWith("terrace inspect: " + file + reason);
    assertThat(run.out()).isEmpty();
  }
}
