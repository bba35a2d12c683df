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

/** A lookup beside an insertion that rebuilds the table finds each entry that was there before. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The old one; the new one came later.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both.")
@Outcome(expect = FORBIDDEN, desc = "The old one is missed, or a block is not whole.")
@State
public class RebuiltTableStress {

  private final CacheFile file = Entries.file();

  /** As many as the smallest table holds. */
  private static final int FULL = 4;

  private final EntryTable<Leased> table = new EntryTable<>(file, new DramIndex<>());
  private final DramEntry<Leased> another = Entries.resident(file, FULL);

  public RebuiltTableStress() {
    for (int offset = 0; offset < FULL; offset++) {
      table.insert(Entries.resident(file, offset));
    }
  }

  @Actor
  public void insert() {
    table.insert(another);
  }

  @Actor
  public void look(II_Result r) {
    r.r1 = bytes(FULL - 1);
    r.r2 = bytes(FULL);
  }

  private int bytes(long offset) {
    DramEntry<Leased> found = table.find(offset);
    return found == null ? 0 : found.block().bytes();
  }
}
