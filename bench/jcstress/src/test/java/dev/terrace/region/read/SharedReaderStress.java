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
 * A lookup retains a shared object, or misses it; it never reads the memory of one that was killed
 * and freed.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "A miss.")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The block's own bytes.")
@Outcome(expect = FORBIDDEN, desc = "Another block's bytes, or a reference that is left.")
@State
public class SharedReaderStress {

  private final SharingTable table = new SharingTable();
  private final Leased block = new Leased();

  public SharedReaderStress() {
    table.share(block);
  }

  @Actor
  public void read(II_Result r) {
    r.r1 = table.bytesFound();
  }

  @Actor
  public void evict() {
    table.evict();
  }

  @Arbiter
  public void count(II_Result r) {
    r.r2 = block.references();
    table.clear();
  }
}
