// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be written about tables, and what is wrong. */
class TableSharesTest {

  private static final String MIN = "hbase.terrace.tables.min";
  private static final String MAX = "hbase.terrace.tables.max";

  private static TerraceSettings parse(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    conf.set(TerraceSettings.DRAM_SIZE.key(), "8g");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return ReadSettings.of(new SiteValues(conf), Long.MAX_VALUE);
  }

  private static String error(String... keysAndValues) {
    Throwable error = catchThrowable(() -> parse(keysAndValues));
    assertThat(error).isInstanceOf(SettingsException.class);
    return error.getMessage();
  }

  @Test
  void namesHaveTheirNamespace() {
    assertThat(
            parse(MIN, "dram:orders = 0.3, ssd:sales:big.table-1=.05,dram:orders/info=0.1").asMap())
        .containsEntry(
            MIN, "dram:default:orders=0.3,dram:default:orders/info=0.1,ssd:sales:big.table-1=0.05")
        .containsEntry(MAX, "none");
    assertThat(parse(MIN, "none")).isEqualTo(parse());
    assertThat(parse(MIN, "dram:default:orders=0.30")).isEqualTo(parse(MIN, "dram:orders=0.3"));
  }

  @Test
  void familiesHaveAnySignThatHBaseAllows() {
    TerraceSettings settings = parse(MIN, "dram:t/a%2Cb=0.1,dram:t/a%3Db%20%25=0.2");
    assertThat(settings.quotas("dram")).containsOnlyKeys("default:t/a,b", "default:t/a=b %");
    assertThat(settings.asMap())
        .containsEntry(MIN, "dram:default:t/a%2Cb=0.1,dram:default:t/a%3Db%20%25=0.2");
    assertThat(parse(MIN, settings.asMap().get(MIN))).isEqualTo(settings);
  }

  @Test
  void namesHaveLettersOfAnyScript() {
    assertThat(parse(MIN, "pmem:таблица=0.1,pmem:Größen:表/f=0.2").asMap())
        .containsEntry(MIN, "pmem:Größen:表/f=0.2,pmem:default:таблица=0.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders=0.1",
        "disk:orders=0.1",
        "dram:orders",
        "dram:orders=",
        "dram:=0.3",
        "dram:orders=30%",
        "dram:orders=1.1",
        "dram:a:b:c=0.1",
        "dram:o/=0.1",
        "dram:orders=-0.1",
        "dram:orders=0.1.1",
        "dram:orders 0.3",
        "dram:orders*=0.1",
        ""
      })
  void whatIsNoTableWithAShareIsAnError(String written) {
    assertThat(error(MAX, "ssd:logs=0.1," + written))
        .startsWith(MAX + "=ssd:logs=0.1," + written + " has '" + written + "', which is not TIER")
        .contains("TIER:NAMESPACE:TABLE=SHARE", "TIER:NAMESPACE:*=SHARE", "pmem and ssd");
  }

  @Test
  void aTableIsNamedOnce() {
    assertThat(error(MIN, "ssd:orders=0.1,ssd:default:orders=0.2"))
        .isEqualTo(
            MIN
                + "=ssd:orders=0.1,ssd:default:orders=0.2 names ssd:default:orders twice: name each"
                + " table once for a tier");
    assertThat(parse(MIN, "dram:orders=0.1,ssd:orders=0.2").quotas("ssd")).hasSize(1);
  }

  @Test
  void somethingIsLeftForOtherTables() {
    assertThat(parse(MIN, "ssd:a=0.5,ssd:b=0.4").quotas("ssd")).hasSize(2);
    assertThat(error(MIN, "ssd:a=0.5,ssd:b=0.5"))
        .isEqualTo(
            MIN
                + "=ssd:a=0.5,ssd:b=0.5 guarantees 1.00 of ssd: make the shares smaller: their sum must"
                + " be less than 1");
    assertThat(parse(MIN, "dram:a=0.49").quotas("dram")).hasSize(1);
    assertThat(error(MIN, "dram:a=0.5"))
        .isEqualTo(
            MIN
                + "=dram:a=0.5 guarantees, with hbase.terrace.dram.protected.share=0.5, 1.00 of dram:"
                + " make the shares smaller: their sum must be less than 1");
    assertThat(parse(MAX, "dram:a=1,dram:b=1").quotas("dram")).hasSize(2);
    assertThat(parse("hbase.terrace.dram.protected.share", "1").quotas("dram")).isEmpty();
  }

  @Test
  void whatIsKeptIsAllowed() {
    assertThat(error(MIN, "dram:orders=0.2", MAX, "dram:orders=0.1"))
        .isEqualTo(
            MIN
                + "=dram:orders=0.2 guarantees 0.2 to dram:default:orders, but "
                + MAX
                + " allows dram:default:orders only 0.1: lower the minimum, or raise the maximum");
    assertThat(error(MIN, "ssd:sales:orders/info=0.2", MAX, "ssd:sales:*=0.1"))
        .contains("0.2 to ssd:sales:orders/info", "allows ssd:sales:* only 0.1");
    assertThat(parse(MIN, "ssd:sales:orders=0.1", MAX, "ssd:*=0").quotas("ssd")).hasSize(2);
  }

  @Test
  void namespacesAndAllOthersHaveShares() {
    assertThat(parse(MAX, "ssd:sales:*=0.3,ssd:*=0, dram:default:* = 0.5").asMap())
        .containsEntry(MAX, "dram:default:*=0.5,ssd:*=0.0,ssd:sales:*=0.3");
    assertThat(error(MIN, "ssd:*=0.1")).contains("ssd:*", "to each table", "however many");
  }

  @Test
  void aGuaranteeWithinAnotherCountsOnce() {
    assertThat(parse(MIN, "ssd:s:*=0.6,ssd:s:a=0.5,ssd:s:a/f=0.4,ssd:t=0.3").quotas("ssd"))
        .hasSize(4);
    assertThat(error(MIN, "ssd:s:*=0.1,ssd:s:a=0.5,ssd:s:b=0.5"))
        .contains("guarantees 1.00 of ssd");
    assertThat(error(MIN, "ssd:a/f=0.5,ssd:a/g=0.5,ssd:a=0.2")).contains("guarantees 1.00 of ssd");
  }

  @Test
  void tablesAreBoundedInNumber() {
    String many =
        IntStream.rangeClosed(0, TableShares.MAX_NAMES)
            .mapToObj(i -> "ssd:t" + i + "=0")
            .collect(Collectors.joining(","));
    assertThat(error(MAX, many)).endsWith(" names 101 tables: the maximum is 100");
  }
}
