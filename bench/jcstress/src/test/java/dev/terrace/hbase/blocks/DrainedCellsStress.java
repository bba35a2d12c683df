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
 * A striped count is drained by the tier that lets go, while a reader retains and releases: an
 * addition to a cell is in the sum, or sees that the cell is closed.
 */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "The reader's own bytes; freed once.")
@Outcome(expect = FORBIDDEN, desc = "Freed under the reader, twice or never.")
@State
public class DrainedCellsStress {

  private final TierMemory memory = new TierMemory();
  private final StripedRefCount count = new StripedRefCount(memory, new RefCountStripes(2, 1));

  public DrainedCellsStress() {
    count.retain();
    count.stripe();
  }

  @Actor
  public void read(III_Result r) {
    count.retain();
    count.release();
    r.r1 = memory.bytes;
    count.release();
  }

  @Actor
  public void releaseTierReference() {
    memory.releaseTierReference();
    count.release();
  }

  @Arbiter
  public void count(III_Result r) {
    r.r2 = memory.freed.get();
    r.r3 = count.refCnt();
  }
}
