// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.terrace.api.CacheFile;
import dev.terrace.jcstress.Leased;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An insertion beside the removal of a file's last block goes into a table that lookups find. */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The first one is gone, the other is there.")
@Outcome(expect = FORBIDDEN, desc = "The block went into a table that nobody finds.")
@State
public class EmptiedTableStress {

  private final CacheFile file = Entries.file();
  private final DramIndex<Leased> index = new DramIndex<>();
  private final DramEntry<Leased> last = Entries.resident(file, 0);
  private final DramEntry<Leased> next = Entries.resident(file, 1);

  public EmptiedTableStress() {
    index.insert(last);
  }

  @Actor
  public void remove() {
    index.remove(last);
  }

  @Actor
  public void insert() {
    index.insert(next);
  }

  @Arbiter
  public void look(II_Result r) {
    r.r1 = index.find(file, 0) == null ? 0 : 1;
    r.r2 = index.find(file, 1) == null ? 0 : 1;
  }
}
