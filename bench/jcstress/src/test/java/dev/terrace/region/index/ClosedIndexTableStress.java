// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An insertion beside the removal of a file's last block goes into a table that lookups find. */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The first one is gone, the other is there.")
@Outcome(expect = FORBIDDEN, desc = "The block went into a table that nobody finds.")
@State
public class ClosedIndexTableStress {

  private final RegionIndex index = TestPages.index();

  public ClosedIndexTableStress() {
    TestPages.insert(index, 1, 7);
  }

  @Actor
  public void remove() {
    index.remove(TestPages.FILE, TestPages.offset(1));
  }

  @Actor
  public void insert() {
    TestPages.insert(index, 2, 7);
  }

  @Arbiter
  public void look(II_Result r) {
    r.r1 = TestPages.found(index, 1, 7);
    r.r2 = TestPages.found(index, 2, 7);
    TestPages.clear(index);
  }
}
