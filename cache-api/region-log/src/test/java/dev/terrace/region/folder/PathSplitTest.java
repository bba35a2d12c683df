// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.format.DeviceGeometry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathSplitTest {

  private static final Path A = Path.of("/disk/a");
  private static final Path B = Path.of("/disk/b");
  private static final long MB = 1 << 20;

  @ParameterizedTest
  @CsvSource({
    "1, 65536, 16",
    "2, 131072, 16",
    "3, 131072, 24",
    "100, 4194304, 25",
    "255, 8388608, 31",
    "256, 16777216, 16",
    "1048576, 16777216, 65536"
  })
  void choosesRegionsBySize(long megabytes, int regionBytes, int regions) {
    DeviceGeometry one = PathSplit.of(PathSplit.even(List.of(A), megabytes * MB)).geometry(A);
    assertThat(one).isEqualTo(new DeviceGeometry(regionBytes, regions));
    DeviceGeometry two =
        PathSplit.of(PathSplit.even(List.of(A, B), 2 * megabytes * MB)).geometry(A);
    assertThat(two).as("each of two paths").isEqualTo(one);
  }

  @Test
  void neverTakesMoreThanItMay() {
    for (long sizeBytes = 2 * MB; sizeBytes <= 1L << 44; sizeBytes = sizeBytes * 9 / 7) {
      DeviceGeometry each = PathSplit.of(PathSplit.even(List.of(A, B), sizeBytes)).geometry(A);
      assertThat(2 * each.sizeBytes()).isLessThanOrEqualTo(sizeBytes);
      assertThat(each.regions()).isGreaterThanOrEqualTo(PathSplit.MIN_REGIONS);
      assertThat(sizeBytes - 2 * each.sizeBytes()).isLessThan(2L * each.regionBytes() + 2);
    }
  }
}
