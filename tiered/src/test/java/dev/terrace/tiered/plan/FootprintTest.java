// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.terrace.api.BlockKey;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FootprintTest {

  private final SizeCurves.Footprint footprint = new SizeCurves.Footprint();

  private void read(int keys) {
    for (int key = 0; key < keys; key++) {
      footprint.access(BlockKey.hash(key));
    }
  }

  @Test
  void countsDistinctKeys() {
    read(30_000);
    read(30_000);
    assertThat(footprint.keys()).isCloseTo(30_000, withinPercentage(1));
  }

  @Test
  void aFootprintIsSeenTwiceOnceTheSecondHalfBringsNothingNew() {
    assertThat(footprint.isSeenTwice()).as("nothing was seen").isFalse();
    read(1_000);
    assertThat(footprint.isSeenTwice()).isFalse();
    read(1_000);
    assertThat(footprint.isSeenTwice()).as("from 512 to 1,024 all were new").isFalse();
    read(1_000);
    read(1_000);
    assertThat(footprint.isSeenTwice()).isTrue();
    for (int key = 0; key < 4_000; key++) {
      footprint.access(BlockKey.hash(1_000_000 + key));
    }
    assertThat(footprint.isSeenTwice()).as("another table is read").isFalse();
  }

  @Test
  void hotKeysAreNotTheWholeFootprint() {
    Random random = new Random(1);
    for (int access = 0; access < 20_000; access++) {
      boolean isHot = random.nextInt(10) > 0;
      footprint.access(BlockKey.hash(isHot ? random.nextInt(100) : 100 + access));
    }
    assertThat(footprint.isSeenTwice()).isFalse();
  }
}
