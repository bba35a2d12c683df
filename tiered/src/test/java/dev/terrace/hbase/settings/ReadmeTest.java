// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.TerraceRegionServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds the README's examples and its table of settings to what Terrace reads. */
class ReadmeTest {

  private static final Pattern XML = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL);
  private static final Pattern DIRECT_MEMORY = Pattern.compile("HBASE_OFFHEAPSIZE=(\\d+)g");
  private static final Pattern SETTING_ROW =
      Pattern.compile("\\| `(hbase\\.terrace\\.[a-z.]+)` \\| .* \\| `?([^|`]+)`? \\| (yes|no) \\|");

  /** The README leaves this much of the JVM's direct memory to HBase. */
  private static final long LEFT_TO_HBASE_BYTES = 1L << 30;

  private String readme;

  @BeforeEach
  void read() throws IOException {
    readme = Files.readString(Path.of("..", "README.md"));
  }

  /** An hbase-site.xml with these properties. */
  private static Configuration site(String properties) {
    Configuration conf = new Configuration(false);
    String xml = "<configuration>" + properties + "</configuration>";
    conf.addResource(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    return conf;
  }

  @Test
  void theExampleHasEnoughDirectMemory() {
    Matcher memory = DIRECT_MEMORY.matcher(readme);
    assertThat(memory.find()).isTrue();
    long limitBytes = (Long.parseLong(memory.group(1)) << 30) - LEFT_TO_HBASE_BYTES;

    Matcher example = XML.matcher(readme);
    assertThat(example.find()).isTrue();
    Configuration site = site(example.group(1));

    TerraceSettings settings = ReadSettings.of(new SiteValues(site), limitBytes);

    assertThat(site.get(HConstants.REGION_SERVER_IMPL))
        .isEqualTo(TerraceRegionServer.class.getName());

    assertThat(settings.dramSizeBytes()).isPositive();
    assertThat(settings.pmem().isConfigured()).isTrue();
    assertThat(settings.ssd().isConfigured()).isTrue();
  }

  @Test
  void theTableHasEachSettingWithItsDefault() {
    List<MatchResult> rows = SETTING_ROW.matcher(readme).results().toList();

    assertThat(rows)
        .extracting(row -> row.group(1), row -> row.group(2), row -> row.group(3))
        .containsExactlyElementsOf(
            TerraceSettings.ALL.stream()
                .map(
                    setting ->
                        Tuple.tuple(
                            setting.key(), setting.defaultValue(), setting.live() ? "yes" : "no"))
                .toList());
  }
}
