// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.TerraceLine;
import dev.terrace.bench.server.HBaseInstall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short fire on a real cluster, from its options to its verdict. */
@Tag("hadoop")
@Tag("long")
final class FireIT {

  @Test
  void aClusterUnderFireLosesNothing() throws IOException {
    Path work = HBaseInstall.home().resolve("bench/target/it/fire");
    FileUtils.deleteDirectory(work.toFile());
    Files.createDirectories(work);
    TerraceLine terrace = new TerraceLine();
    int exit =
        terrace.run("fire", "--seconds=30", "--seed=1392", "--dir=" + work, "--pmem=" + work);
    assertThat(exit).as(terrace.out() + terrace.err()).isZero();
    assertThat(terrace.out())
        .contains("with --seed 1392 the same faults strike again")
        .containsPattern("\\| faults +\\| +[1-9]")
        .containsPattern("\\| rows checked +\\| +[1-9]")
        .containsPattern("\\| wrong, lost, foreign rows +\\| +0 ")
        .containsPattern("\\| failed client operations +\\| +0 ")
        .contains("met     findings: []")
        .containsPattern("met +warm hits after the last start: [1-9]")
        .containsPattern("met +blocks warmed: .*; [1-9][0-9]* damaged lists, 0 regions wait");
    // Each server's tiers on PMem and SSD.
    assertThat(terrace.out().lines().filter(line -> line.contains(" verify "))).hasSize(6);
    assertThat(work).isEmptyDirectory();
  }
}
