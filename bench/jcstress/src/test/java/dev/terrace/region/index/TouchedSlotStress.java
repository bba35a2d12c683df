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
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A hit is counted without a lock in a slot that a writer empties and gives to another block:
 * neither does the removed block come back, nor is the other one changed.
 */
@JCStressTest
@Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "One is gone, the other is there, unhit.")
@Outcome(expect = FORBIDDEN, desc = "A block came back, was lost, or got another one's hit.")
@State
public class TouchedSlotStress {

  private final CacheFile file = TestPages.file();
  private final RegionIndex index = TestPages.index();

  public TouchedSlotStress() {
    TestPages.insert(index, file, 1, 7);
    TestPages.insert(index, file, 200, 7);
  }

  @Actor
  public void replace() {
    index.remove(file, TestPages.offset(1));
    TestPages.insert(index, file, 2, 7);
  }

  @Actor
  public void touch() {
    index.touch(file, TestPages.offset(1));
  }

  @Arbiter
  public void look(III_Result r) {
    r.r1 = TestPages.found(index, file, 1, 7);
    r.r2 = TestPages.found(index, file, 2, 7);
    IndexEntry other = index.find(file, TestPages.offset(2));
    r.r3 = other == null ? -1 : other.hits();
    TestPages.clear(index, file);
  }
}
