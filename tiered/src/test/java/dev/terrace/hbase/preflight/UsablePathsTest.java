// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.ReadSettings;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsablePathsTest {

  @TempDir Path temporary;

  private TerraceSettings settings(Path... paths) {
    return ReadSettings.of(
        new SiteValues(
            OpenCaches.conf(
                "hbase.terrace.ssd.paths",
                TerraceSettings.SSD_PATHS.text(List.of(paths)),
                "hbase.terrace.ssd.size",
                "64m",
                "hbase.terrace.create.paths",
                "false")));
  }

  @Test
  void aPathThatHangsDoesNotCountAndHoldsUpNoOther() throws Exception {
    Path well = Files.createDirectory(temporary.resolve("well"));
    Path hanging = Files.createDirectory(temporary.resolve("hanging"));
    CountDownLatch answer = new CountDownLatch(1);

    PathCheck paths =
        new PathCheck(
            settings(hanging, well),
            path -> {
              if (path.equals(hanging)) {
                Awaitility.await().until(() -> answer.getCount() == 0);
              }
              return true;
            },
            Duration.ofMillis(200));
    answer.countDown();

    assertThat(paths.isUsable(well)).isTrue();
    assertThat(paths.isSilent(well)).isFalse();
    assertThat(paths.isUsable(hanging)).isFalse();
    assertThat(paths.isSilent(hanging)).isTrue();
    assertThat(paths.findings())
        .filteredOn(finding -> finding.severity() != Finding.Severity.WARNING)
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.severity()).isEqualTo(Finding.Severity.OUT);
              assertThat(fault.message())
                  .contains("hbase.terrace.ssd.paths", hanging.toString(), "did not respond");
            });
  }

  @Test
  void aPathThatIsAbsentStopsTheStart() throws Exception {
    Path well = Files.createDirectory(temporary.resolve("well"));
    Path absent = temporary.resolve("absent");

    PathCheck paths = new PathCheck(settings(absent, well));

    assertThat(paths.isUsable(well)).isTrue();
    assertThat(paths.isUsable(absent)).isFalse();
    assertThat(paths.isSilent(absent)).isFalse();
    assertThat(paths.findings())
        .filteredOn(finding -> finding.severity() != Finding.Severity.WARNING)
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.isError()).isTrue();
              assertThat(fault.message()).contains(absent.toString(), "does not exist");
            });
  }
}
