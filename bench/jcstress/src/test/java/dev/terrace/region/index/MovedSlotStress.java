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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An insertion and a removal move a block's slot while a lookup without a lock looks for it: the
 * lookup finds it, at its own address.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Found twice, at its address.")
@Outcome(expect = FORBIDDEN, desc = "Missed, or another block's address.")
@State
public class MovedSlotStress {

  private final CacheFile file = TestPages.file();
  private final RegionIndex index = TestPages.index();

  public MovedSlotStress() {
    TestPages.insert(index, file, 2, 7);
    TestPages.insert(index, file, 3, 7);
  }

  @Actor
  public void insertBefore() {
    TestPages.insert(index, file, 1, 7);
    index.remove(file, TestPages.offset(2));
  }

  @Actor
  public void look(II_Result r) {
    r.r1 = TestPages.found(index, file, 3, 7);
    r.r2 = TestPages.found(index, file, 3, 7);
  }

  @Arbiter
  public void giveBackPages() {
    TestPages.clear(index, file);
  }
}
