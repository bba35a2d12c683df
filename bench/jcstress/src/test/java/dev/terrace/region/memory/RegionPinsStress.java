// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A reader pins a region while the worker closes it: exactly one of them sees the end, and the
 * reader reads nothing of what is written after it.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The region was closed first.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The reader had a pin.")
@Outcome(
    expect = FORBIDDEN,
    desc = "Bytes of the next life, or an end that was seen twice or never.")
@State
public class RegionPinsStress {

  private final RegionPins pins = new RegionPins();
  private final AtomicInteger ends = new AtomicInteger();

  /** The region's memory: 1 in this life, 2 in the next. */
  private int bytes = 1;

  public RegionPinsStress() {
    pins.open();
  }

  private void end() {
    bytes = 2;
    ends.incrementAndGet();
  }

  @Actor
  public void read(II_Result r) {
    if (pins.tryPin()) {
      r.r1 = bytes;
      if (pins.unpin()) {
        end();
      }
    }
  }

  @Actor
  public void reclaim() {
    if (pins.close()) {
      end();
    }
  }

  @Arbiter
  public void count(II_Result r) {
    r.r2 = ends.get();
  }
}
