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
package dev.terrace.region.index;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A table grows while a lookup without a lock looks into it: what was there before is found. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "Found at its address.")
@Outcome(expect = FORBIDDEN, desc = "Missed, or another block's address.")
@State
public class GrownTableStress {

  /** The next block makes a table of one page grow. */
  private static final int FULL = 14;

  private final RegionIndex index = TestPages.index();

  public GrownTableStress() {
    for (int key = 0; key < FULL; key++) {
      TestPages.insert(index, key, 7);
    }
  }

  @Actor
  public void insert() {
    TestPages.insert(index, FULL, 7);
  }

  @Actor
  public void look(I_Result r) {
    r.r1 = TestPages.found(index, FULL - 1, 7);
  }

  @Arbiter
  public void giveBackPages() {
    TestPages.clear(index);
  }
}
