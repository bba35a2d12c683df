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

  private final EntryTable<Leased> table = new EntryTable<>(Entries.FILE);

  @Actor
  public void put() {
    table.insert(Entries.resident(0));
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
