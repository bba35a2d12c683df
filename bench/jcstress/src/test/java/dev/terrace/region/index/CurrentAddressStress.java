// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.terrace.api.CacheFile;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A reader reads at a block's address, and then asks whether the block is still there. If so, what
 * it read was the block's, and not what the place got after the block was removed.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "The block is gone; what was read counts nothing.")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The block's own bytes.")
@Outcome(expect = FORBIDDEN, desc = "Bytes that were written after the removal.")
@State
public class CurrentAddressStress {

  private final CacheFile file = TestPages.file();
  private final RegionIndex index = TestPages.index();

  /** What is at the address: 1 while the block has it, 2 afterwards. */
  private int bytes = 1;

  public CurrentAddressStress() {
    TestPages.insert(index, file, 1, 7);
  }

  @Actor
  public void reuse() {
    index.remove(file, TestPages.offset(1));
    bytes = 2;
  }

  @Actor
  public void read(I_Result r) {
    IndexEntry entry = index.find(file, TestPages.offset(1));
    if (entry != null) {
      int seen = bytes;
      r.r1 = index.isCurrent(entry) ? seen : 0;
    }
  }

  @Arbiter
  public void giveBackPages() {
    TestPages.clear(index, file);
  }
}
