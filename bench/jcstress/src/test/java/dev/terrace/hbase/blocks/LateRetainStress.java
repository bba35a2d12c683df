// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.apache.hbase.thirdparty.io.netty.util.IllegalReferenceCountException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A reader comes while the last reference is released: it gets one or is refused, and never reads
 * memory that was freed.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Refused: the memory was freed once.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The reader had a reference.")
@Outcome(expect = FORBIDDEN, desc = "Freed memory was read, or freed twice or never.")
@State
public class LateRetainStress {

  private final TierMemory memory = new TierMemory();
  private final StripedRefCount count = new StripedRefCount(memory, new RefCountStripes(2, 1));

  @Actor
  public void read(II_Result r) {
    try {
      count.retain();
    } catch (IllegalReferenceCountException e) {
      return;
    }
    r.r1 = memory.bytes;
    count.release();
  }

  @Actor
  public void releaseTierReference() {
    memory.releaseTierReference();
    count.release();
  }

  @Arbiter
  public void count(II_Result r) {
    r.r2 = memory.freed.get();
  }
}
