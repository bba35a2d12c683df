// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A block is copied up while it is evicted from all tiers, the highest first: the copy does not
 * outlive the eviction.
 */
@JCStressTest
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "The block is in no tier.")
@Outcome(expect = FORBIDDEN, desc = "An evicted block came back.")
@State
public class InFlightCopiesStress {

  private static final CacheFile FILE = new CacheFiles().hold("file");

  private final AtomicBoolean above = new AtomicBoolean();
  private final AtomicBoolean below = new AtomicBoolean(true);
  private final InFlightCopies copies = new InFlightCopies((file, offset) -> above.set(false));

  @Actor
  public void promote() {
    InFlightCopies.Copy copy = copies.begin(new BlockKey(FILE, 0), false);
    if (copy != null) {
      if (below.get()) {
        above.set(true);
      }
      copies.end(copy);
    }
  }

  @Actor
  public void evict() {
    InFlightCopies.Eviction eviction = copies.beginEviction(FILE, 0, 0);
    above.set(false);
    below.set(false);
    copies.endEviction(eviction);
  }

  @Arbiter
  public void look(ZZ_Result r) {
    r.r1 = above.get();
    r.r2 = below.get();
  }
}
