// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.files.FileOrigin.Extent;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileOriginTest {

  private static final String REGION = "0123456789abcdef0123456789abcdef";

  @Test
  void theTextIsThatOfTheFormat() {
    assertThat(new FileOrigin(REGION, "default:t", new Extent(17, 1_000)).text())
        .isEqualTo("1 " + REGION + " default:t 17 1000");
    assertThat(new FileOrigin(REGION, "default:t", null).text())
        .isEqualTo("1 " + REGION + " default:t");
    assertThat(new FileOrigin(REGION, null, null).text()).isEqualTo("1 " + REGION + " -");
  }

  @Test
  void theTextHasAll() {
    Extent[] extents = {null, new Extent(0, 0), new Extent(999_999_999, 999_999_999_999_999_999L)};
    for (Extent extent : extents) {
      for (String table :
          new String[] {
            null, "ns:a.b_c-d", "hbase:meta", "Größen:таблица", "default:表", "default:हिन्दी.१"
          }) {
        FileOrigin origin = new FileOrigin(REGION, table, extent);
        assertThat(FileOrigin.parse(origin.text())).isEqualTo(origin);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1",
        "1 region",
        "2 region ns:table",
        "1 region ns:table 1",
        "1 region ns:table 1 -1",
        "1 region ns:table 1 2 3",
        "1 region ns:table 9999999999 1",
        "1 region ns:table 1 9999999999999999999",
        "1 re/gion ns:table",
        "1 region table",
        "1 region ns:table\n"
      })
  void whatIsNoOriginIsNone(String text) {
    assertThat(FileOrigin.parse(text)).isNull();
  }

  @Test
  void anyTextIsAnOriginOrNone() {
    byte[] right =
        new FileOrigin(REGION, "default:t", new Extent(17, 1_000))
            .text()
            .getBytes(StandardCharsets.UTF_8);
    SplittableRandom random = new SplittableRandom(1);
    int origins = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = right.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      String text = new String(bytes, StandardCharsets.UTF_8);
      FileOrigin origin = FileOrigin.parse(text);
      if (origin != null) {
        assertThat(FileOrigin.parse(origin.text())).isEqualTo(origin);
        origins++;
      }
    }
    assertThat(origins).as("changed and still one").isPositive();
  }
}
