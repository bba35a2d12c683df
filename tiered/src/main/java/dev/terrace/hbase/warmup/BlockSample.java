// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.api.BlockKey;
import dev.terrace.hbase.warmup.HotList.Mark;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * A sample of a list's blocks and their tiers, by which two lists are compared without either: the
 * blocks with the smallest hashes (bottom-k sketch; Cohen and Kaplan 2007). Immutable.
 */
final class BlockSample {

  static final BlockSample EMPTY = new BlockSample(new long[0]);

  /** With 256 blocks, the share's standard error is 1.4 points at 5 %. */
  private static final int MAX_HASHES = 256;

  /** Ascending, each once. */
  private final long[] hashes;

  private BlockSample(long[] hashes) {
    this.hashes = hashes;
  }

  static BlockSample of(HotList list) {
    return new BlockSample(
        smallest(
            list.files().stream()
                .flatMapToLong(
                    file ->
                        file.blocks().stream()
                            .mapToLong(
                                block ->
                                    BlockKey.hash(
                                        file.file().hashCode(),
                                        block.offset() * 4 + Mark.tier(block.mark()))))));
  }

  /** The share of the blocks of both lists that only one of them has; 0 if both are empty. */
  double changedShare(BlockSample other) {
    long[] both = smallest(LongStream.concat(LongStream.of(hashes), LongStream.of(other.hashes)));
    long changed = LongStream.of(both).filter(hash -> !has(hash) || !other.has(hash)).count();
    return both.length == 0 ? 0 : (double) changed / both.length;
  }

  private boolean has(long hash) {
    return Arrays.binarySearch(hashes, hash) >= 0;
  }

  private static long[] smallest(LongStream hashes) {
    return hashes.sorted().distinct().limit(MAX_HASHES).toArray();
  }
}
