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
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The policy evicts an entry while a thread still puts it, at any point: afterwards no lookup finds
 * it, its reference was released once, and it is not counted as resident.
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Not found, no reference, not counted.")
@Outcome(expect = FORBIDDEN, desc = "Found, kept, released twice, or counted still.")
@State
public class EntryLifeStress {

  private final CacheFile file = Entries.file();
  private final DramResidents<Leased> residents =
      new DramResidents<>(new Leased.Codec(), null, new TierCounters(), 16, 0, () -> 1 << 20);
  private final DramEntry<Leased> entry = Entries.reserved(file, 0);
  private final Leased block = new Leased();

  @Actor
  public void put() {
    entry.keep(block);
    residents.publish(entry);
  }

  @Actor
  public void evict() {
    residents.evict(entry, EvictionCause.KEY);
  }

  @Arbiter
  public void look(III_Result r) {
    r.r1 = residents.index.find(file, 0) == null ? 0 : 1;
    r.r2 = block.references();
    r.r3 = (int) residents.index.blocks();
  }
}
