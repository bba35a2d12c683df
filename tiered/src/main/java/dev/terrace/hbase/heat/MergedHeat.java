// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.heat;

import java.util.HashMap;
import java.util.Map;

/**
 * Follows one merge of files, and estimates how much of each block of its output came from which
 * tiers. Not thread-safe: a compaction runs on one thread.
 *
 * <p>A merge takes rows in the order of their keys. It reads the next block of a file when the last
 * row of the one before is taken, and writes a block when that is full. So a block of the output
 * carries rows of the blocks that were open since the one before it. Where one ends, the files'
 * offsets tell how much went in and out so far. The difference comes from the blocks that are open;
 * it is divided among them by the bytes that each file had so far. With one file that is exact.
 *
 * <p>Output may be smaller than input (rows dropped) or larger (encoded anew). If less, a block
 * counts for as many bytes of the input as those before it. What is more is forgotten as far as the
 * open blocks cannot account for it.
 *
 * <p>All bytes are those in the files, compressed if these are.
 */
final class MergedHeat {

  /** Stands for a tier if a block is in none. */
  static final int NO_TIER = -1;

  /** A file of the input, and the block of it that is open. */
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

    /** The bytes that the file had so far; 0 if none of it is open. */
    double weight() {
      return isOpen && left() > 0 ? offset + size - first : 0;
    }
  }

  private final int tiers;
  private final Map<String, Input> inputs = new HashMap<>();
  private final Map<String, double[]> takenBefore = new HashMap<>();

  /** The bytes that were taken so far: of each tier, then of blocks in no tier. */
  private final double[] taken;

  private double[] lastShares;
  private double allTaken;
  private double ended;
  private double written;

  /** The bytes of the output; those of the input that went into it are {@code written}. */
  private double output;

  private long usualSize;

  /**
   * A merge that has not begun.
   *
   * @param tiers number of tiers
   */
  MergedHeat(int tiers) {
    this.tiers = tiers;
    taken = new double[tiers + 1];
    lastShares = new double[tiers];
  }

  /**
   * The next data block of a file of the input is read.
   *
   * @param offset where it starts
   * @param tier the number of the tier that holds the block, from 0, or {@link #NO_TIER}
   * @param bytes its size; 0 if that is unknown
   */
  void read(String file, long offset, int tier, long bytes) {
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

  /** Reads an input block without rows, such as an index. */
  void skipped(String file, long offset) {
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
   * A data block of the output is written.
   *
   * @param bytes its size
   * @return by the number of the tier, the part of the block that came from blocks in it, from 0 to
   *     1; the rest came from blocks that were in none
   */
  double[] written(String file, long bytes) {
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
      // All that was read is accounted for already: the same blocks as before.
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
