// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.settings.SettingsReader;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerBoundsTest {

  @ParameterizedTest
  @CsvSource({
    "10, 0, 12",
    "30, 0, 12",
    "40, 0, 16",
    "200, 0, 80",
    "5000, 0, 1000",
    "200, 5, 5",
    "10, 90, 90"
  })
  void aDiskMayHoldSomeOfTheHandlers(int handlers, int readers, int expected) {
    Configuration conf = new Configuration(false);
    conf.setInt("hbase.regionserver.handler.count", handlers);
    conf.setInt("hbase.terrace.ssd.readers", readers);
    conf.set("hbase.terrace.dram.size", "8m");
    ConfigurationSite site = new ConfigurationSite(conf);
    assertThat(ServerBounds.of(site, SettingsReader.parse(site)).ssdReaders()).isEqualTo(expected);
  }
}
