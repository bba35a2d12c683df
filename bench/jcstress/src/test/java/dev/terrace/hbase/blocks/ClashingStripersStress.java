// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two readers that collide stripe the count at the same time: one of them does, no reference is
 * lost, and the tier's release frees the memory once.
 */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "Both read; freed once.")
@Outcome(expect = FORBIDDEN, desc = "A reference was lost, or one is left.")
@State
public class ClashingStripersStress {

  private final TierMemory memory = new TierMemory();
  private final StripedRefCount count = new StripedRefCount(memory, new RefCountStripes(2, 1));

  public ClashingStripersStress() {
    count.retain(2);
  }

  @Actor
  public void first() {
    count.stripe();
    count.release();
  }

  @Actor
  public void second() {
    count.stripe();
    count.release();
  }

  @Arbiter
  public void releaseTierReference(III_Result r) {
    r.r1 = memory.bytes;
    memory.releaseTierReference();
    count.release();
    r.r2 = memory.freed.get();
    r.r3 = count.refCnt();
  }
}
