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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A lookup without a lock that finds an entry sees its fields, its block, and the bytes that were
 * written before it was published.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The lookup came first.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The whole entry.")
@Outcome(expect = FORBIDDEN, desc = "An entry, block or memory that is not whole.")
@State
public class PublishedEntryStress {

  private final CacheFile file = Entries.file();
  private final EntryTable<Leased> table = new EntryTable<>(file, new DramIndex<>());

  @Actor
  public void put() {
    table.insert(Entries.resident(file, 0));
  }

  @Actor
  public void look(II_Result r) {
    DramEntry<Leased> found = table.find(0);
    if (found != null) {
      Leased block = found.block();
      r.r1 = block == null ? -1 : block.bytes();
      r.r2 = found.sizeBytes;
    }
  }
}
