// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.policy.TierFill;
import dev.terrace.tiered.admission.SeenKeys;
import java.util.List;

/**
 * Promotes a block at its second touch. A block that was in the highest tier before is promoted at
 * its first hit below; one that entered below, by a prefetch or a restart, at its second. The
 * highest tier's own policy decides whether it stays. Thread-safe.
 */
public final class SecondTouch implements Movement.PromotionPolicy {

  private final List<? extends TierFill> lower;
  private final SeenKeys touched = new SeenKeys();

  /** A policy for promotions from these tiers. */
  public SecondTouch(List<? extends TierFill> lower) {
    this.lower = List.copyOf(lower);
  }

  @Override
  public void touched(long keyHash) {
    boolean unused = promotes(keyHash);
  }

  @Override
  public boolean promotes(long keyHash) {
    // Most hits are of blocks that were touched before: they take no lock.
    return touched.contains(keyHash) || !addIfAbsent(keyHash);
  }

  private synchronized boolean addIfAbsent(long keyHash) {
    if (touched.contains(keyHash)) {
      return false;
    }
    touched.add(keyHash, blocks());
    return true;
  }

  private long blocks() {
    return 2 * lower.stream().mapToLong(TierFill::blockCount).sum();
  }
}
