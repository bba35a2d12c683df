// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.cacheonwrite;

import dev.terrace.api.CacheFile;
import java.util.HashMap;
import java.util.Map;

/**
 * Follows one merge of files, and estimates how much of each output block came from which tiers.
 * Not thread-safe: a compaction runs on one thread.
 *
 * <p>A merge takes rows in key order. It reads the next block of a file once it has taken the last
 * row of the current one, and writes a block once that is full. So an output block carries rows of
 * the blocks that were open since the previous output block. When an input block ends, the files'
 * offsets show how much has gone in and out so far. The difference comes from the open blocks; it
 * is divided among them in proportion to the bytes of each file so far. With a single file that is
 * exact.
 *
 * <p>Output may be smaller than input (rows dropped) or larger (re-encoded). If it is smaller, a
 * block counts for as many input bytes as those before it. If it is larger, the excess is forgotten
 * unless the open blocks account for it.
 *
 * <p>All sizes are those in the files, so compressed if the files are.
 */
final class CompactionTracker {

  /** Stands for the tier of a block that is in none. */
  static final int NO_TIER = -1;

  /** An input file and its open block. */
  private static final class Input {
    final long first;
    long offset;
    int tier;
    long size;
    double taken;
    boolean isOpen;

    Input(long first) {
      this.first = first;
    }

    double left() {
      return Math.max(0, size - taken);
    }

    /** The file's bytes so far; 0 if none of its blocks is open. */
    double weight() {
      return isOpen && left() > 0 ? offset + size - first : 0;
    }
  }

  private final int tiers;
  private final Map<CacheFile, Input> inputs = new HashMap<>();
  private final Map<CacheFile, double[]> takenBefore = new HashMap<>();

  /** The input bytes taken so far: by tier, then those of blocks in no tier. */
  private final double[] taken;

  private double[] lastShares;
  private double allTaken;
  private double ended;
  private double written;

  /** The output bytes; {@code written} is the input bytes that went into them. */
  private double output;

  private long usualSize;

  /**
   * Starts a merge.
   *
   * @param tiers the number of tiers
   */
  CompactionTracker(int tiers) {
    this.tiers = tiers;
    taken = new double[tiers + 1];
    lastShares = new double[tiers];
  }

  /**
   * Records that the next data block of an input file is read.
   *
   * @param offset where it starts
   * @param tier the number of the tier that holds the block, from 0, or {@link #NO_TIER}
   * @param bytes its size; 0 if that is unknown
   */
  void read(CacheFile file, long offset, int tier, long bytes) {
    Input input = inputs.get(file);
    if (input == null) {
      input = new Input(offset);
      inputs.put(file, input);
    } else {
      end(input, offset);
    }
    input.offset = offset;
    input.tier = tier;
    input.size = bytes > 0 ? bytes : usualSize;
    input.taken = 0;
    input.isOpen = true;
  }

  /** Records that an input block without rows is read, such as an index. */
  void skipped(CacheFile file, long offset) {
    Input input = inputs.get(file);
    if (input != null) {
      end(input, offset);
    }
  }

  private void end(Input input, long offset) {
    if (input.isOpen) {
      long size = Math.max(0, offset - input.offset);
      take(input, size - input.taken);
      ended += size;
      usualSize = size;
      input.isOpen = false;
    }
  }

  private void take(Input input, double bytes) {
    input.taken += bytes;
    taken[input.tier == NO_TIER ? tiers : input.tier] += bytes;
    allTaken += bytes;
  }

  /**
   * Records that a data block of the output is written.
   *
   * @param bytes its size
   * @return by tier number, the share of the block that came from blocks in that tier, from 0 to 1;
   *     the rest came from blocks in no tier
   */
  double[] written(CacheFile file, long bytes) {
    takeFromOpen(bytes);
    double[] before = takenBefore.put(file, taken.clone());
    double all = 0;
    double[] shares = new double[tiers];
    for (int tier = 0; tier <= tiers; tier++) {
      double part = Math.max(0, taken[tier] - (before == null ? 0 : before[tier]));
      all += part;
      if (tier < tiers) {
        shares[tier] = part;
      }
    }
    if (all == 0) {
      // All input is accounted for already: the shares of the previous block apply.
      return lastShares;
    }
    for (int tier = 0; tier < tiers; tier++) {
      shares[tier] /= all;
    }
    lastShares = shares;
    return shares;
  }

  /** Charges the excess output to open blocks. */
  private void takeFromOpen(long bytes) {
    double open = 0;
    double weights = 0;
    for (Input input : inputs.values()) {
      if (input.isOpen) {
        input.size = input.size == 0 ? bytes : input.size;
        open += input.size;
        weights += input.weight();
      }
    }
    output += bytes;
    double ofInput = bytes * Math.max(1, ended / output);
    written = Math.min(Math.max(written + ofInput, ended), ended + open);
    double rest = written - allTaken;
    if (rest <= 0) {
      return;
    }
    for (Input input : inputs.values()) {
      if (input.weight() > 0) {
        take(input, Math.min(input.left(), rest * input.weight() / weights));
      }
    }
  }
}
