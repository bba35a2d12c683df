/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.dram;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

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

  /** As many as the smallest table holds. */
  private static final int FULL = 4;

  private final EntryTable<Leased> table = new EntryTable<>(Entries.FILE);
  private final DramEntry<Leased> another = Entries.resident(FULL);

  public RebuiltTableStress() {
    for (int offset = 0; offset < FULL; offset++) {
      table.insert(Entries.resident(offset));
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
