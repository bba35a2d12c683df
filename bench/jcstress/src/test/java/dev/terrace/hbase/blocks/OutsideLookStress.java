// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * The number of holders is read from outside while a reader comes and goes on a striped count: with
 * a reader that stays, the answer is never that nobody but the tier holds the block.
 */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "There is a reader.")
@Outcome(expect = FORBIDDEN, desc = "The reader that stays was not seen.")
@State
public class OutsideLookStress {

  private final TierMemory memory = new TierMemory();
  private final StripedRefCount count = new StripedRefCount(memory, new RefCountStripes(2, 1));

  public OutsideLookStress() {
    count.retain();
  }

  @Actor
  public void comeAndGo() {
    count.retain();
    count.stripe();
    count.release();
  }

  @Actor
  public void look(Z_Result r) {
    r.r1 = count.exceeds(1);
  }
}
