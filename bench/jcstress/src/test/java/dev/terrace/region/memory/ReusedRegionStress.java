// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A region is reclaimed and filled anew while a reader without a pin reads it: a valid read is of
 * one life.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The region was closed to readers meanwhile.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The first life.")
@Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "The second life.")
@Outcome(expect = FORBIDDEN, desc = "Bytes of two lives.")
@State
public class ReusedRegionStress {

  private final RegionPins pins = new RegionPins();
  private int first = 1;
  private int last = 1;

  public ReusedRegionStress() {
    pins.open();
  }

  @Actor
  public void read(II_Result r) {
    long stamp = pins.stamp();
    int seenFirst = first;
    int seenLast = last;
    if (pins.validate(stamp)) {
      r.r1 = seenFirst;
      r.r2 = seenLast;
    }
  }

  @Actor
  public void reuse() {
    if (pins.close()) {
      first = 2;
      last = 2;
      pins.open();
    }
  }
}
