// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one compaction has read and written, and an estimate of how much of each output block came
 * from which tiers. Only its own thread adds to it.
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
public final class Compaction {

  /** Stands for the tier of a block that is in none. */
  public static final int NO_TIER = -1;

  /** The most tiers of a cache. */
  private static final int TIERS = 3;

  /** An input file and its open block. */
  private static final class Input {

    final long first;
    int tier;
    long size;
    double taken;
    boolean isOpen;
    private long passedFrom;
    private long offset;

    Input(long first) {
      this.first = first;
      this.passedFrom = first;
      this.offset = first;
    }

    synchronized long offset() {
      return offset;
    }

    synchronized void readsOn(long next) {
      passedFrom = Math.min(passedFrom, next);
      offset = next;
    }

    synchronized void drop() {
      passedFrom = offset;
    }

    /** Whether a block is before the open one. */
    synchronized boolean hasPassed(long other) {
      return passedFrom <= other && other < offset;
    }

    double left() {
      return Math.max(0, size - taken);
    }

    /** The file's bytes so far; 0 if none of its blocks is open. */
    double weight() {
      return isOpen && left() > 0 ? offset() + size - first : 0;
    }
  }

  private final Map<CacheFile, Input> inputs = new ConcurrentHashMap<>();

  /** The bytes taken before the last block of each output file. */
  private final Map<CacheFile, double[]> outputs = new ConcurrentHashMap<>();

  /** The stores that have its first input; none if the last scan did not find that file. */
  private List<Owner> stores = List.of();

  /** The input bytes taken so far: by tier, then those of blocks in no tier. */
  private final double[] taken = new double[TIERS + 1];

  private double[] lastShares = new double[TIERS];
  private double allTaken;
  private double ended;
  private double written;

  /** The output bytes; {@code written} is the input bytes that went into them. */
  private double output;

  private long usualSize;

  /**
   * Whether a read is another compaction's. A merge has the files of one store, opens all of them
   * before it writes, and reads each from its begin to its end. It reads MOB files in between.
   */
  boolean isOver(CacheFile file, long offset, FileCatalog known) {
    boolean isMob = StoreFileNames.isMob(file.name());
    Input input = inputs.get(file);
    if (input != null) {
      return offset < input.offset() && !isMob;
    }
    List<Owner> ofFile = known.storesOf(file);
    boolean isOfAnotherStore =
        !stores.isEmpty() && !ofFile.isEmpty() && Collections.disjoint(stores, ofFile);
    return isOfAnotherStore || !(outputs.isEmpty() || isMob);
  }

  /** Records the stores of an input file, unless they are known. */
  void readsFor(List<Owner> ofFile) {
    stores = stores.isEmpty() ? ofFile : stores;
  }

  /** Begins an output file. Returns the input files; none if the file has begun already. */
  Set<CacheFile> writes(CacheFile file) {
    return outputs.putIfAbsent(file, new double[TIERS + 1]) == null ? inputs.keySet() : Set.of();
  }

  boolean isOutput(CacheFile file) {
    return outputs.containsKey(file);
  }

  /** Whether the compaction has passed a block of a file. */
  boolean hasPassed(CacheFile file, long offset) {
    Input input = inputs.get(file);
    return input != null && input.hasPassed(offset);
  }

  /** No part of a file counts as passed. */
  void dropped(CacheFile file) {
    Input input = inputs.get(file);
    if (input != null) {
      input.drop();
    }
  }

  /**
   * Records that the next data block of an input file is read.
   *
   * @param offset where it starts
   * @param tier the number of the tier that holds the block, from 0, or {@link #NO_TIER}
   * @param bytes its size; 0 if that is unknown
   */
  void read(CacheFile file, long offset, int tier, long bytes) {
    Input input = inputs.computeIfAbsent(file, added -> new Input(offset));
    end(input, offset);
    input.readsOn(offset);
    input.tier = tier;
    input.size = bytes > 0 ? bytes : usualSize;
    input.taken = 0;
    input.isOpen = true;
  }

  /** Records that an input block without rows is read, such as an index. */
  public void skipped(CacheFile file, long offset) {
    Input input = inputs.get(file);
    if (input != null) {
      end(input, offset);
    }
  }

  private void end(Input input, long offset) {
    if (input.isOpen) {
      long size = Math.max(0, offset - input.offset());
      take(input, size - input.taken);
      ended += size;
      usualSize = size;
      input.isOpen = false;
    }
  }

  private void take(Input input, double bytes) {
    input.taken += bytes;
    taken[input.tier == NO_TIER ? TIERS : input.tier] += bytes;
    allTaken += bytes;
  }

  /**
   * Records that a data block of the output is written.
   *
   * @param bytes its size
   * @return by tier number, the share of the block that came from blocks in that tier, from 0 to 1;
   *     the rest came from blocks in no tier
   */
  public double[] written(CacheFile file, long bytes) {
    takeFromOpen(bytes);
    double[] before = outputs.put(file, taken.clone());
    double all = 0;
    double[] shares = new double[TIERS];
    for (int tier = 0; tier <= TIERS; tier++) {
      double part = Math.max(0, taken[tier] - before[tier]);
      all += part;
      if (tier < TIERS) {
        shares[tier] = part;
      }
    }
    if (all == 0) {
      // All input is accounted for already: the shares of the previous block apply.
      return lastShares;
    }
    for (int tier = 0; tier < TIERS; tier++) {
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
