// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A reader takes a lease while a reclaim begins to wait for readers: either the reclaim sees the
 * pin, or the reader copies the block.
 */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "The reclaim saw the lease.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The reclaim saw the pin of a copy.")
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "The reader came later, and copies.")
@Outcome(expect = FORBIDDEN, desc = "A lease that the reclaim did not see.")
@State
public class AwaitedReadersStress {

  private final Region region = new Region(0, 0, null, new Leasing());

  public AwaitedReadersStress() {
    region.pins.open();
  }

  @Actor
  public void lease(ZZ_Result r) {
    region.tryPin();
    r.r1 = !region.copiesHits();
  }

  @Actor
  public void reclaim(ZZ_Result r) {
    region.awaitsReaders(true);
    r.r2 = region.pins.isPinned();
  }

  /** A device without copies. */
  private static final class Leasing implements Region.Listener {

    @Override
    public void drained(Region region) {}

    @Override
    public void live(int recordBytes) {}

    @Override
    public void emptied(Region region) {}

    @Override
    public boolean copiesHits() {
      return false;
    }
  }
}
