// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.ConfigurationSite;
import dev.terrace.hbase.OpenCaches;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class GrowthCheckTest {

  private static final TerraceSettings GROWN =
      SettingsReader.parse(
          new ConfigurationSite(
              OpenCaches.conf(
                  "hbase.terrace.ssd.paths", "/disk", "hbase.terrace.ssd.size", "64m")));

  @Test
  void aPathThatDoesNotAnswerIsAFinding() {
    CountDownLatch end = new CountDownLatch(1);
    GrowthCheck check =
        new GrowthCheck(
            grown -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
              }
              return List.of();
            },
            Duration.ofMillis(1));

    assertThat(check.apply(GROWN))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.isError()).isTrue();
              assertThat(finding.message()).contains("no answer within", "/disk", "take that path");
            });
    end.countDown();
  }

  @Test
  void whatIsFoundInTimeIsPassedOn() {
    Finding lack = Finding.error("what", "why", "remedy");

    assertThat(new GrowthCheck(grown -> List.of(lack), Duration.ofMinutes(1)).apply(GROWN))
        .containsExactly(lack);
  }
}
