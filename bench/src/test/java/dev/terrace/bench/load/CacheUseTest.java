// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.LoadFigures.CacheUse;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CacheUseTest {

  @Test
  void readsOfFilesCountAsMisses() {
    CacheUse before = new CacheUse(50, 10, Map.of("dram", 7L));
    CacheUse during = new CacheUse(80, 50, Map.of("dram", 9L, "ssd", 4L)).since(before);

    assertThat(during).isEqualTo(new CacheUse(30, 40, Map.of("dram", 2L, "ssd", 4L)));
    assertThat(during.dataHitRatio()).isEqualTo(30.0 / 70);
    assertThat(before.since(before).dataHitRatio()).isNaN();
  }
}
