/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rules for Prometheus in docs/monitoring, by its own tool. */
final class AlertRulesTest {

  @BeforeAll
  static void requirePromtool() {
    PromTool.requireInstalled();
  }

  @Test
  void theConfigurationAndTheRulesAreRight() throws Exception {
    assertThat(PromTool.run("check", "config", "prometheus.yml")).contains("SUCCESS");
  }

  @Test
  void alertsAreRaisedWhenTheyShould() throws Exception {
    assertThat(PromTool.run("test", "rules", "terrace-alerts-test.yml")).contains("SUCCESS");
  }
}
