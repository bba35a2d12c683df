// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Two threads of one stripe, of which one owns it, lose no hit: each counts three. */
@JCStressTest
@Outcome(id = "6", expect = ACCEPTABLE, desc = "All hits.")
@Outcome(expect = FORBIDDEN, desc = "A hit was lost, or counted twice.")
@State
public class HitRecorderStress {

  private static final CacheFile FILE = new CacheFiles().hold("file");

  private static final int TYPE = 0;

  private final HitRecorder recorder = new HitRecorder(1, System::nanoTime);

  @Actor
  public void first() {
    hit();
  }

  @Actor
  public void second() {
    hit();
  }

  private void hit() {
    for (int i = 0; i < 3; i++) {
      recorder.hit(recorder.stripe(), Access.CACHING, TYPE, FILE);
    }
  }

  @Arbiter
  public void count(J_Result r) {
    r.r1 = recorder.counts().of(Access.CACHING);
  }
}
