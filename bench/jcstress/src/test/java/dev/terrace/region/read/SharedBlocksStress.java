// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.terrace.jcstress.Leased;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A reader shares its object of a block while the block is evicted: afterwards no lookup finds the
 * object, and the table's reference was released once.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not found, no reference.")
@Outcome(expect = FORBIDDEN, desc = "Found after the eviction, or kept, or released twice.")
@State
public class SharedBlocksStress {

  private final SharingTable table = new SharingTable();
  private final Leased block = new Leased();

  @Actor
  public void read() {
    table.share(block);
  }

  @Actor
  public void evict() {
    table.evict();
  }

  @Arbiter
  public void look(II_Result r) {
    r.r1 = table.bytesFound();
    r.r2 = block.references();
    table.clear();
  }
}
