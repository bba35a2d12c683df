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

/** An insertion beside the removal of a file's last block goes into a table that lookups find. */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The first one is gone, the other is there.")
@Outcome(expect = FORBIDDEN, desc = "The block went into a table that nobody finds.")
@State
public class EmptiedIndexTableStress {

  private final CacheFile file = TestPages.file();
  private final RegionIndex index = TestPages.index();

  public EmptiedIndexTableStress() {
    TestPages.insert(index, file, 1, 7);
  }

  @Actor
  public void remove() {
    index.remove(file, TestPages.offset(1));
  }

  @Actor
  public void insert() {
    TestPages.insert(index, file, 2, 7);
  }

  @Arbiter
  public void look(II_Result r) {
    r.r1 = TestPages.found(index, file, 1, 7);
    r.r2 = TestPages.found(index, file, 2, 7);
    TestPages.clear(index, file);
  }
}
