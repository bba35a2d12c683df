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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An insertion and a removal move a block's slot while a lookup without a lock looks for it: the
 * lookup finds it, at its own address.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Found twice, at its address.")
@Outcome(expect = FORBIDDEN, desc = "Missed, or another block's address.")
@State
public class MovedSlotStress {

  private final RegionIndex index = TestPages.index();

  public MovedSlotStress() {
    TestPages.insert(index, 2, 7);
    TestPages.insert(index, 3, 7);
  }

  @Actor
  public void insertBefore() {
    TestPages.insert(index, 1, 7);
    index.remove(TestPages.FILE, TestPages.offset(2));
  }

  @Actor
  public void look(II_Result r) {
    r.r1 = TestPages.found(index, 3, 7);
    r.r2 = TestPages.found(index, 3, 7);
  }

  @Arbiter
  public void giveBackPages() {
    TestPages.clear(index);
  }
}
