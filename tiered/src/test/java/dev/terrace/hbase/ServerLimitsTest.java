// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.settings.ReadSettings;
import dev.terrace.hbase.settings.SiteValues;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerLimitsTest {

  @ParameterizedTest
  @CsvSource({"10, 12", "30, 12", "40, 16", "200, 80", "5000, 1000"})
  void aDiskMayHoldSomeOfTheHandlers(int handlers, int expected) {
    Configuration conf = new Configuration(false);
    conf.setInt("hbase.regionserver.handler.count", handlers);
    conf.set("hbase.terrace.dram.size", "8m");
    SiteValues site = new SiteValues(conf);
    assertThat(OpenTiers.ServerLimits.of(site, ReadSettings.of(site)).ssdReaders())
        .isEqualTo(expected);
  }
}
