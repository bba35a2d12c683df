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
package dev.terrace.tiered;

import dev.terrace.api.Fuzzing;
import dev.terrace.hbase.settings.SettingsFuzz;
import dev.terrace.hbase.warm.list.HeatListFuzz;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;

@EnabledOnOs(
    architectures = {"amd64", "x86_64"},
    disabledReason = "Jazzer has no library for Linux on other processors")
@Timeout(value = 1, unit = TimeUnit.DAYS) // Fuzzing has a limit of its own.
final class FuzzTest {

  @Test
  void settingsAndHeatAreRightOrRefused() throws IOException, InterruptedException {
    Fuzzing.run(SettingsFuzz.class, HeatListFuzz.class);
  }
}
