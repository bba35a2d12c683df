// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.folder.PathSplit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * The values of settings. An input is text, a setting a line: the number of the setting as a
 * letter, its value. A letter beyond the last setting makes a key that nobody knows.
 */
public final class SettingsFuzz {

  private static final long LIMIT_BYTES = 16L << 30;

  private SettingsFuzz() {}

  private static SiteValues values(Map<String, String> all) {
    Configuration conf = new Configuration(false);
    all.forEach(conf::set);
    return new SiteValues(conf);
  }

  /** Reads the settings: they can be used, or each that cannot is named. */
  public static void fuzzerTestOneInput(byte[] input) {
    SiteValues site = site(new String(input, StandardCharsets.UTF_8));
    Findings findings = new Findings();
    TerraceSettings settings = SettingsReader.check(site, LIMIT_BYTES, findings);
    requireUsable(settings);
    List<Finding> errors = findings.stream().filter(Finding::isError).toList();
    boolean isMeasured = settings.pmem().size().isShare() || settings.ssd().size().isShare();
    if (errors.isEmpty() && isMeasured) {
      // A disk may have more or less free space by now.
      requireUsable(ReadSettings.of(site, LIMIT_BYTES));
    } else if (errors.isEmpty()) {
      assertThat(ReadSettings.of(site, LIMIT_BYTES)).isEqualTo(settings);
      assertThat(ReadSettings.of(values(settings.asMap()), LIMIT_BYTES)).isEqualTo(settings);
    } else {
      assertThatThrownBy(() -> ReadSettings.of(site, LIMIT_BYTES))
          .isInstanceOf(SettingsException.class);
    }
  }

  private static SiteValues site(String text) {
    Map<String, String> values = new TreeMap<>();
    text.lines()
        .filter(line -> !line.isEmpty())
        .forEach(line -> values.put(key(line.charAt(0)), line.substring(1)));
    return values(values);
  }

  private static String key(char letter) {
    int number = letter - 'a';
    return number >= 0 && number < TerraceSettings.ALL.size()
        ? TerraceSettings.ALL.get(number).key()
        : TerraceSettings.PREFIX + letter;
  }

  private static void requireUsable(TerraceSettings settings) {
    assertThat(settings.dramSizeBytes()).isNotNegative();
    assertThat(settings.get(TerraceSettings.DRAM_PROTECTED_SHARE))
        .matches(share -> share >= 0 && share <= 1);
    assertThat(settings.get(TerraceSettings.SSD_WRITE_LIMIT)).isNotNegative();
    assertThat(settings.directMemoryBytes()).isNotNegative();
    for (String tier : List.of("dram", "pmem", "ssd")) {
      assertThat(settings.quotas(tier).values())
          .allMatch(quota -> quota.min() >= 0 && quota.min() <= quota.max());
    }
    for (TierSpace space : List.of(settings.pmem(), settings.ssd())) {
      if (space.isConfigured()) {
        PathSplit split = space.split();
        assertThat(split.paths().stream().mapToLong(path -> split.geometry(path).sizeBytes()).sum())
            .isBetween(1L, space.sizeBytes());
      }
    }
  }
}
