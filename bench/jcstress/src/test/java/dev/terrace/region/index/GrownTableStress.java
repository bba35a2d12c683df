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

/** A table grows while a lookup without a lock looks into it: what was there before is found. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "Found at its address.")
@Outcome(expect = FORBIDDEN, desc = "Missed, or another block's address.")
@State
public class GrownTableStress {

  /** The next block makes a table of one page grow. */
  private static final int FULL = 14;

  private final CacheFile file = TestPages.file();
  private final RegionIndex index = TestPages.index();

  public GrownTableStress() {
    for (int key = 0; key < FULL; key++) {
      TestPages.insert(index, file, key, 7);
    }
  }

  @Actor
  public void insert() {
    TestPages.insert(index, file, FULL, 7);
  }

  @Actor
  public void look(I_Result r) {
    r.r1 = TestPages.found(index, file, FULL - 1, 7);
  }

  @Arbiter
  public void giveBackPages() {
    TestPages.clear(index, file);
  }
}
