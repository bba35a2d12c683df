// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.jcstress.Leased;
import dev.terrace.tiered.admission.AdmissionPolicy;
import java.util.List;
import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZIJ_Result;

/**
 * A block is offered and carried down while it is evicted from all tiers, the highest first: it
 * does not stay there, and its lease is given back.
 */
@JCStressTest
@Outcome(
    id = "false, 1, 0",
    expect = ACCEPTABLE,
    desc = "The block is not below; its offer holds no lease.")
@Outcome(
    expect = FORBIDDEN,
    desc = "An evicted block is below, a lease is left, or the move failed.")
@State
public class DemoterStress {

  private static final CacheFile FILE = new CacheFiles().hold("file");

  private final InFlightCopies copies = new InFlightCopies((file, offset) -> evictAll());
  private final OneBlockTier above = OneBlockTier.withBlock();
  private final OneBlockTier below = new OneBlockTier();
  private final Leased block = new Leased();
  private final Level<Leased> lower = new Level<>(below.tier(), AdmissionPolicy.everything());
  private final Demoter<Leased> demoter =
      new Demoter<>(
          List.of(new Level<>(above.tier(), AdmissionPolicy.everything()), lower),
          0,
          new Movement(Map.of(), keyHash -> false, Runnable::run, 1 << 20),
          new Leased.Codec(),
          copies);

  private void evictAll() {
    InFlightCopies.Eviction eviction = copies.beginEviction(FILE, 0, 0);
    above.evict();
    below.evict();
    copies.endEviction(eviction);
  }

  @Actor
  public void leave() {
    BlockTraits traits = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
    demoter.offer(new BlockInfo(new BlockKey(FILE, 0), 1, traits, 0), block, false);
    above.evict();
  }

  @Actor
  public void evict() {
    evictAll();
  }

  @Arbiter
  public void look(ZIJ_Result r) {
    r.r1 = below.hasBlock();
    r.r2 = block.references();
    r.r3 = lower.movesFrom("one").blocks().getOrDefault(MoveOutcome.FAILED, 0L);
  }
}
