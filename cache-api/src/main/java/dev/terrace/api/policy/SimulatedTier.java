// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.policy;

import java.util.Map;

/**
 * A tier without blocks: it tracks which keys the real tier would hold, by the same rules. A
 * simulation costs some hundred bytes per key. Not thread-safe.
 *
 * @param <K> what is known of a resident key
 */
public abstract class SimulatedTier<K> implements TierFill {

  /** Receives the keys that a tier evicts to make room. */
  @FunctionalInterface
  public interface Evictions {
    /**
     * Called for each key, after it left.
     *
     * @param wasHit whether it was hit since it came
     */
    void evicted(long keyHash, int sizeBytes, boolean wasHit);
  }

  protected final Map<Long, K> residents;
  protected final Evictions evictions;
  protected long capacityBytes;
  private final String name;
  private long bytesWritten;

  /**
   * An empty tier.
   *
   * @param residents an empty map, in the order that the tier needs
   * @param evictions must not call this tier
   */
  protected SimulatedTier(
      String name, long capacityBytes, Map<Long, K> residents, Evictions evictions) {
    this.name = name;
    this.capacityBytes = capacityBytes;
    this.residents = residents;
    this.evictions = evictions;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public final long blockCount() {
    return residents.size();
  }

  /** Looks a key up, and counts a hit toward its residency; true for a hit. */
  public final boolean get(long keyHash) {
    touch(keyHash);
    return contains(keyHash);
  }

  /** Whether the tier holds a key. Not counted as a hit. */
  public final boolean contains(long keyHash) {
    return residents.containsKey(keyHash);
  }

  /**
   * Adds an absent key. May evict others.
   *
   * @return whether the tier holds it now
   */
  public abstract boolean put(long keyHash, int sizeBytes);

  /** As {@link #put}, for an absent key that was hit in a tier below and stays there. */
  public boolean promote(long keyHash, int sizeBytes) {
    return put(keyHash, sizeBytes);
  }

  /** Counts a hit that the block had in a tier above. */
  public abstract void touch(long keyHash);

  protected final void wrote(int bytes) {
    bytesWritten += bytes;
  }

  /** Bytes written so far, including rewrites. */
  public final long bytesWritten() {
    return bytesWritten;
  }
}
