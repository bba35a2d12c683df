// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.Fuzzing;
import dev.terrace.hbase.settings.SettingsFuzz;
import dev.terrace.hbase.warmup.HotListFuzz;
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
    Fuzzing.run(SettingsFuzz.class, HotListFuzz.class);
  }
}
