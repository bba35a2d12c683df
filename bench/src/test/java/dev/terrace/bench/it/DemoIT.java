// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.TerraceLine;
import dev.terrace.bench.server.HBaseInstall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short {@code terrace demo}, from its options to its chart. */
@Tag("hadoop")
@Tag("long")
final class DemoIT {

  @TempDir Path folder;

  @Test
  void comparesRestartsAndTellsSo() throws IOException {
    Path json = folder.resolve("demo.json");
    Path svg = folder.resolve("demo.svg");
    Path work = Files.createDirectory(folder.resolve("work"));
    TerraceLine terrace = new TerraceLine();
    int exit =
        terrace.run(
            "demo",
            "--rows=90000",
            "--seconds=1",
            "--ssd=" + work + ":256m",
            "--kill",
            "--dir=" + work,
            "--json=" + json);
    assertThat(exit).as(terrace.err()).isZero();
    assertThat(terrace.out())
        .containsPattern("Terrace: [0-9,]+ gets a second, warm, [0-9.]+ % of the data")
        .contains("in 4 rounds", "after a kill and a restart", "Fair to HBase", "demo.html")
        .containsPattern("All [0-9,]+ rows that were read and checked had the right values")
        .doesNotContain("log4j", "dev.terrace", "org.apache");
    assertThat(work).isEmptyDirectory();
    assertThat(HBaseInstall.home().resolve("bench/target/reports/demo.html"))
        .content()
        .contains("<svg", "own cache");

    assertThat(TerraceLine.cells(json, 0)).as("two servers, warm and restarted").hasSize(4);

    assertThat(terrace.run("report", json, "--out", folder.resolve("page.html"), "--svg", svg))
        .as(terrace.err())
        .isZero();
    assertThat(svg).content().startsWith("<svg").contains("warm", "Terrace");
  }
}
