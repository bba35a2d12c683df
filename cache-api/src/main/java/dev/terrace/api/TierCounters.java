// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a tier that are not on its hit path. Any thread may call any method. */
public final class TierCounters {

  private final LongAdder misses = new LongAdder();
  private final LongAdder puts = new LongAdder();
  private final LongAdder putBytes = new LongAdder();
  private final LongAdder putPlainBytes = new LongAdder();
  private final LongAdder foundBytes = new LongAdder();
  private final LongAdder foundPlainBytes = new LongAdder();
  private final LongAdder rewrittenBytes = new LongAdder();
  private final LongAdder scrubbedBytes = new LongAdder();
  private final Map<PutOutcome, LongAdder> refusals = adders(PutOutcome.class);
  private final Map<EvictionCause, LongAdder> evictions = adders(EvictionCause.class);
  private final Map<TierFault, LongAdder> faults = adders(TierFault.class);
  private volatile TierListener listener = TierListener.NONE;

  public static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
    Map<E, LongAdder> adders = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      adders.put(constant, new LongAdder());
    }
    return adders;
  }

  /** Also reports puts and evictions to a listener. Call it at most once, before first use. */
  public void setListener(TierListener receiver) {
    listener = receiver;
  }

  public void miss(Access access) {
    if (access != Access.UNCOUNTED) {
      misses.increment();
    }
  }

  /** Counts a put of a block that is stored as it is; returns the outcome. */
  public PutOutcome put(CacheFile file, PutOutcome outcome, int sizeBytes) {
    if (outcome == PutOutcome.STORED) {
      stored(sizeBytes, sizeBytes);
    }
    return put(file, outcome);
  }

  /** Counts a put by its outcome, without its bytes; returns the outcome. */
  public PutOutcome put(CacheFile file, PutOutcome outcome) {
    if (outcome == PutOutcome.STORED) {
      puts.increment();
    } else if (outcome.isRefusal()) {
      refusals.get(outcome).increment();
    }
    listener.put(file, outcome);
    return outcome;
  }

  /** Counts a stored block's encoded bytes, and what the tier stores of them. */
  public void stored(int plainBytes, int storedBytes) {
    putPlainBytes.add(plainBytes);
    putBytes.add(storedBytes);
  }

  /**
   * Records how much blocks from before the start were compressed. They do not count as puts.
   *
   * @param plainBytes their encoded size
   * @param storedBytes what the tier stored of them
   */
  public void found(long plainBytes, long storedBytes) {
    foundPlainBytes.add(plainBytes);
    foundBytes.add(storedBytes);
  }

  /** Counts a block that was rewritten to keep it. */
  public void rewritten(int sizeBytes) {
    rewrittenBytes.add(sizeBytes);
  }

  /** Counts a block that the background scrub verified. */
  public void scrubbed(int sizeBytes) {
    scrubbedBytes.add(sizeBytes);
  }

  /** Counts blocks of a file that left. */
  public void evicted(CacheFile file, EvictionCause cause, int blocks) {
    if (blocks > 0) {
      evictions.get(cause).add(blocks);
      listener.evicted(file, cause, blocks);
    }
  }

  public void fault(TierFault fault) {
    faults.get(fault).increment();
  }

  /** How many times smaller the stored and found blocks became; 1 before the first one. */
  public double compressionRatio() {
    long storedBytes = putBytes.sum() + foundBytes.sum();
    long plainBytes = putPlainBytes.sum() + foundPlainBytes.sum();
    return storedBytes == 0 ? 1 : (double) plainBytes / storedBytes;
  }

  /** Lookups so far, with the hits that a recorder has counted. */
  public TierStats.Reads reads(HitRecorder hits) {
    return new TierStats.Reads(hits.counts(), misses.sum(), hits.latency(), scrubbedBytes.sum());
  }

  /** What was stored so far; {@code ratio} is how many times smaller blocks become. */
  public TierStats.Writes writes(double ratio) {
    return new TierStats.Writes(
        puts.sum(), putBytes.sum(), putPlainBytes.sum(), ratio, rewrittenBytes.sum());
  }

  /** What was refused, left or failed so far. */
  public TierStats.Events events() {
    return new TierStats.Events(
        sums(PutOutcome.class, refusals),
        sums(EvictionCause.class, evictions),
        sums(TierFault.class, faults));
  }

  public static <E extends Enum<E>> Map<E, Long> sums(Class<E> type, Map<E, LongAdder> adders) {
    Map<E, Long> sums = new EnumMap<>(type);
    adders.forEach((constant, adder) -> sums.put(constant, adder.sum()));
    sums.values().removeIf(sum -> sum == 0);
    return sums;
  }
}
