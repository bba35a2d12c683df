// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.KeySample;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TestTiers;
import dev.terrace.tiered.TieredCache;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A warmed block gets the hits back that it had on another server: nobody has read it here. */
class WarmedHitsTest {

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  @RegisterExtension final TestTiers open = new TestTiers();

  private final KeySample sample = new KeySample(1);

  private List<Integer> sampled() {
    List<Integer> sizes = new ArrayList<>();
    sample.drain((hash, sizeBytes) -> sizes.add(sizeBytes));
    return sizes;
  }

  @Test
  void areNoReadsToThePredictionOfOtherSizes() {
    TieredCache<Cacheable> tiers = open.open("hbase.terrace.dram.size", "16m");
    assertThat(tiers.sampleKeys(sample)).isTrue();
    assertThat(tiers.putRewritten(file("file"), 0, TestBlocks.data("file", 0, 1_000), DATA, 0))
        .isEqualTo(PutOutcome.STORED);
    tiers.touch(file("file"), 0, 3);
    assertThat(sampled()).isEmpty();
    List<Integer> hits = new ArrayList<>();
    tiers.forEachBlock(file("file"), (tier, offset, sizeBytes, traits, hit) -> hits.add(hit));
    assertThat(hits).as("they count where it is decided what stays").containsExactly(3);
    tiers.get(file("file"), 0, Access.CACHING).release();
    assertThat(sampled()).hasSize(1);
  }
}
