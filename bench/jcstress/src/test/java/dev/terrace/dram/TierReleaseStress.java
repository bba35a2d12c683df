// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.terrace.api.CacheFile;
import dev.terrace.jcstress.Leased;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A count is striped while the tier lets go of the block: the evicting thread drains it, or the
 * striping one is told to, or both.
 */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The evicting thread drains.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The striping thread drains.")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Both try; one gets the cells.")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "Nobody drains.")
@State
public class TierReleaseStress {

  private final CacheFile file = Entries.file();
  private final DramEntry<Leased> entry = Entries.resident(file, 0);

  /** Written and read by the evicting thread alone, in {@link #evict}. */
  private boolean drained;

  private void drain() {
    drained = true;
  }

  @Actor
  public void evict(ZZ_Result r) {
    entry.retire();
    entry.releaseTierReference();
    r.r1 = drained;
  }

  @Actor
  public void stripe(ZZ_Result r) {
    r.r2 = !entry.beforeTierRelease(this::drain);
  }
}
