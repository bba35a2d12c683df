// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.terrace.api.CacheFile;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.TierCounters;
import dev.terrace.jcstress.Leased;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A reader with a lease never reads memory that another block has got meanwhile. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "A miss.")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The block's own bytes.")
@Outcome(expect = FORBIDDEN, desc = "Another block's bytes, or a lease that is left.")
@State
public class LeasedReaderStress {

  private final CacheFile file = Entries.file();
  private final DramResidents<Leased> residents =
      new DramResidents<>(new Leased.Codec(), null, new TierCounters(), 16, 0, () -> 1 << 20);
  private final DramEntry<Leased> entry = Entries.reserved(file, 0);
  private final Leased block = new Leased();

  public LeasedReaderStress() {
    entry.keep(block);
    residents.publish(entry);
  }

  @Actor
  public void evict() {
    residents.evict(entry, EvictionCause.KEY);
  }

  @Actor
  public void read(II_Result r) {
    DramEntry<Leased> found =
        residents.index.find(file, 0, (entry, block) -> entry.block().tryRetain());
    if (found != null) {
      r.r1 = found.block().bytes();
      found.block().release();
    }
  }

  @Arbiter
  public void count(II_Result r) {
    r.r2 = block.references();
  }
}
