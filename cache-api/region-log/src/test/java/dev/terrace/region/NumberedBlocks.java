// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.file;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.api.TierFault;
import java.time.Duration;

/** One file's blocks of equal size in a tier, known by their numbers, which are their offsets. */
public final class NumberedBlocks {

  private static final BlockTraits TRAITS = new BlockTraits(1, BlockTraits.Residency.ORDINARY);

  private final Tier<CountedBlock> tier;
  private final String file;
  private final int sizeBytes;

  /** Blocks of a file in a tier. */
  public NumberedBlocks(Tier<CountedBlock> tier, String file, int sizeBytes) {
    this.tier = tier;
    this.file = file;
    this.sizeBytes = sizeBytes;
  }

  /** Puts a block. */
  public PutOutcome put(int number) {
    return put(number, Duration.ZERO);
  }

  /** Puts a block, and waits for room at most so long. */
  public PutOutcome put(int number, Duration maxWait) {
    CountedBlock block = CountedBlock.of(file, number, sizeBytes);
    PutOutcome outcome = tier.put(file(file), number, block, TRAITS, maxWait.toNanos());
    block.release();
    return outcome;
  }

  /** Puts blocks as long as they are stored. Returns how many were. */
  public int putAll(int from, int to) {
    int stored = 0;
    for (int i = from; i < to && put(i) == PutOutcome.STORED; i++) {
      stored++;
    }
    return stored;
  }

  /** Looks a block up, and checks it. Null on a miss; else the caller releases it. */
  public CountedBlock hold(int number) {
    CountedBlock block = tier.get(file(file), number, Access.CACHING);
    if (block != null) {
      check(number, block);
    }
    return block;
  }

  /** Checks that a block has its bytes. */
  public void check(int number, CountedBlock block) {
    Payloads.check(file, number, block);
  }

  /** Whether a block is served, and right. */
  public boolean read(int number) {
    CountedBlock block = hold(number);
    if (block == null) {
      return false;
    }
    block.release();
    return true;
  }

  /** How many of some blocks are served, all of them right. */
  public int readAll(int from, int to) {
    int found = 0;
    for (int i = from; i < to; i++) {
      found += read(i) ? 1 : 0;
    }
    return found;
  }

  /** How often something went wrong below the tier. */
  public long count(TierFault fault) {
    return tier.stats().events().faults().getOrDefault(fault, 0L);
  }

  /** How many blocks left for a reason. */
  public long evicted(EvictionCause cause) {
    return tier.stats().events().evictions().getOrDefault(cause, 0L);
  }

  /** How many puts were refused for a reason. */
  public long refused(PutOutcome reason) {
    return tier.stats().events().refusals().getOrDefault(reason, 0L);
  }
}
