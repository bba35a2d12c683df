// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.terrace.hbase.ConfigurationSite;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be written about tables, and what is wrong. */
class TableSharesTest {

  private static final String DRAM_MIN = "hbase.terrace.tables.dram.min";
  private static final String DRAM_MAX = "hbase.terrace.tables.dram.max";
  private static final String SSD_MIN = "hbase.terrace.tables.ssd.min";

  private static TerraceSettings parse(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    conf.set(TerraceSettings.DRAM_SIZE.key(), "8g");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return SettingsReader.parse(new ConfigurationSite(conf), Long.MAX_VALUE);
  }

  private static String error(String... keysAndValues) {
    Throwable error = catchThrowable(() -> parse(keysAndValues));
    assertThat(error).isInstanceOf(SettingsException.class);
    return error.getMessage();
  }

  @Test
  void namesHaveTheirNamespace() {
    assertThat(parse(DRAM_MIN, "orders = 0.3, sales:big.table-1=.05,orders/info=0.1").asMap())
        .containsEntry(
            DRAM_MIN, "default:orders=0.3,default:orders/info=0.1,sales:big.table-1=0.05")
        .containsEntry(DRAM_MAX, "none");
    assertThat(parse(DRAM_MIN, "none")).isEqualTo(parse());
    assertThat(parse(DRAM_MIN, "default:orders=0.30")).isEqualTo(parse(DRAM_MIN, "orders=0.3"));
  }

  @Test
  void namesHaveLettersOfAnyScript() {
    assertThat(parse(DRAM_MIN, "таблица=0.1,Größen:表/f=0.2").asMap())
        .containsEntry(DRAM_MIN, "Größen:表/f=0.2,default:таблица=0.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders",
        "orders=",
        "=0.3",
        "orders=30%",
        "orders=1.1",
        "a:b:c=0.1",
        "o/=0.1",
        "orders=-0.1",
        "orders=0.1.1",
        "orders 0.3",
        "orders*=0.1",
        ""
      })
  void whatIsNoTableWithAShareIsAnError(String written) {
    assertThat(error(DRAM_MAX, "logs=0.1," + written))
        .isEqualTo(
            DRAM_MAX
                + "=logs=0.1,"
                + written
                + " has '"
                + written
                + "', which is no table with a share from 0 to 1: write TABLE=SHARE,"
                + " NAMESPACE:TABLE=SHARE or TABLE/FAMILY=SHARE, such as orders=0.3, separated by"
                + " commas");
  }

  @Test
  void aTableIsNamedOnce() {
    assertThat(error(DRAM_MIN, "orders=0.1,default:orders=0.2"))
        .isEqualTo(
            DRAM_MIN
                + "=orders=0.1,default:orders=0.2 names default:orders twice: name each table"
                + " once");
  }

  @Test
  void somethingIsLeftForOtherTables() {
    assertThat(parse(SSD_MIN, "a=0.5,b=0.4").quotas("ssd")).hasSize(2);
    assertThat(error(SSD_MIN, "a=0.5,b=0.5"))
        .isEqualTo(
            SSD_MIN
                + "=a=0.5,b=0.5 keeps 1.00 of the tier: make the shares smaller: their sum must be"
                + " less than 1");
    assertThat(parse(DRAM_MIN, "a=0.49").quotas("dram")).hasSize(1);
    assertThat(error(DRAM_MIN, "a=0.5"))
        .isEqualTo(
            DRAM_MIN
                + "=a=0.5 keeps, with hbase.terrace.dram.protected.share=0.5, 1.00 of the tier:"
                + " make the shares smaller: their sum must be less than 1");
    assertThat(parse(DRAM_MAX, "a=1,b=1").quotas("dram")).hasSize(2);
    assertThat(parse("hbase.terrace.dram.protected.share", "1").quotas("dram")).isEmpty();
  }

  @Test
  void whatIsKeptIsAllowed() {
    assertThat(error(DRAM_MIN, "orders=0.2", DRAM_MAX, "orders=0.1"))
        .isEqualTo(
            DRAM_MIN
                + "=orders=0.2 keeps 0.2 for default:orders, and "
                + DRAM_MAX
                + " allows 0.1: make the one smaller, or the other larger");
  }

  @Test
  void tablesAreBoundedInNumber() {
    String many =
        IntStream.rangeClosed(0, TableShares.MOST_NAMES)
            .mapToObj(i -> "t" + i + "=0")
            .collect(Collectors.joining(","));
    assertThat(error(DRAM_MAX, many)).endsWith(" names 101 tables: the maximum is 100");
  }
}
