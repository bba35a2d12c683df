/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase.status;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.Tier;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.blocks.BlockTypes;
import java.util.Iterator;
import java.util.List;

/**
 * The resident data blocks, without indexes, bloom filters and the like. A block in two tiers
 * counts twice, because it takes space twice.
 *
 * @param blocks how many there are
 * @param payloadBytes their encoded bytes
 */
public record DataBlockUsage(long blocks, long payloadBytes) {

  /** Sample size; a tier on SSD may hold tens of millions of blocks. */
  static final int SAMPLE_BLOCKS = 20_000;

  /** Exact for tiers of up to {@link #SAMPLE_BLOCKS} blocks; of larger ones a sample is scaled. */
  public static DataBlockUsage estimate(List<? extends Tier<?>> tiers) {
    long blocks = 0;
    long payloadBytes = 0;
    for (Tier<?> tier : tiers) {
      DataBlockUsage ofTier = estimate(tier);
      blocks += ofTier.blocks;
      payloadBytes += ofTier.payloadBytes;
    }
    return new DataBlockUsage(blocks, payloadBytes);
  }

  private static DataBlockUsage estimate(Tier<?> tier) {
    long seenBlocks = 0;
    long seenBytes = 0;
    long dataBlocks = 0;
    long dataBytes = 0;
    Iterator<BlockInfo> all = tier.blocks();
    while (all.hasNext() && seenBlocks < SAMPLE_BLOCKS) {
      BlockInfo block = all.next();
      seenBlocks++;
      seenBytes += block.sizeBytes();
      if (BlockTypes.isData(block.traits().type())) {
        dataBlocks++;
        dataBytes += block.sizeBytes();
      }
    }
    if (!all.hasNext()) {
      return new DataBlockUsage(dataBlocks, dataBytes);
    }
    TierStats stats = tier.stats();
    return new DataBlockUsage(
        Math.round((double) dataBlocks / seenBlocks * stats.blocks()),
        Math.round((double) dataBytes / seenBytes * stats.payloadBytes()));
  }
}
