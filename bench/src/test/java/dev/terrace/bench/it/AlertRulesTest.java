// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rules for Prometheus in docs/monitoring, by its own tool. */
final class AlertRulesTest {

  @BeforeAll
  static void requirePromtool() {
    Prometheus.requireInstalled();
  }

  @Test
  void theConfigurationAndTheRulesAreRight() throws Exception {
    assertThat(Prometheus.promTool("check", "config", "prometheus.yml")).contains("SUCCESS");
  }

  @Test
  void alertsAreRaisedWhenTheyShould() throws Exception {
    assertThat(Prometheus.promTool("test", "rules", "terrace-alerts-test.yml")).contains("SUCCESS");
  }
}
