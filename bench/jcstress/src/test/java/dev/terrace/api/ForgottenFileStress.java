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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A put beside the forgetting of its file holds the file that lookups find afterwards. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Lookups find the file that the put holds.")
@Outcome(expect = FORBIDDEN, desc = "The put holds a file that nobody finds.")
@State
public class ForgottenFileStress {

  private final CacheFiles files = new CacheFiles();
  private final CacheFile first = files.hold("file");
  private CacheFile held;

  @Actor
  public void forget() {
    first.release();
  }

  @Actor
  public void put() {
    held = files.hold("file");
  }

  @Arbiter
  public void look(ZZ_Result r) {
    r.r1 = files.find("file") == held;
    r.r2 = held.hold();
  }
}
