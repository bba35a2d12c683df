// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two runs of a loop never overlap, each sees what the one before wrote, no wake-up is lost. */
@JCStressTest
@Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "Both items were taken.")
@Outcome(expect = FORBIDDEN, desc = "An item is left, or two runs counted at the same time.")
@State
public class SerialLoopStress {

  private final AtomicInteger items = new AtomicInteger();
  private final SerialLoop loop = new SerialLoop(Runnable::run, this::take, rejected -> {});

  /** Only a run of the loop changes it. */
  private int taken;

  private void take() {
    taken += items.getAndSet(0);
  }

  @Actor
  public void first() {
    items.getAndIncrement();
    loop.wake();
  }

  @Actor
  public void second() {
    items.getAndIncrement();
    loop.wake();
  }

  @Arbiter
  public void count(II_Result r) {
    r.r1 = items.get();
    r.r2 = taken;
  }
}
