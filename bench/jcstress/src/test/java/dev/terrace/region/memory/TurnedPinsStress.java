// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * The worker turns the pins while readers come and go: the pin from before stays an old one until
 * it is released, and no other one is left behind.
 */
@JCStressTest
@Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "Only the old reader was seen.")
@Outcome(expect = FORBIDDEN, desc = "The old reader was missed, or one who left counts still.")
@State
public class TurnedPinsStress {

  private final RegionPins pins = new RegionPins();
  private final long old;

  public TurnedPinsStress() {
    pins.open();
    old = pins.tryPin();
  }

  @Actor
  public void comeAndGo() {
    pins.unpin(pins.tryPin());
    pins.unpin(pins.tryPin());
  }

  @Actor
  public void turn(ZZZ_Result r) {
    pins.turn();
    r.r1 = pins.hasOld();
  }

  @Arbiter
  public void leave(ZZZ_Result r) {
    pins.unpin(old);
    r.r2 = pins.hasOld();
    r.r3 = pins.isPinned();
  }
}
