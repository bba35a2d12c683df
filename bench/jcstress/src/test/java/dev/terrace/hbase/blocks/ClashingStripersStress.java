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
package dev.terrace.hbase.blocks;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two readers that collide stripe the count at the same time: one of them does, no reference is
 * lost, and the tier's release frees the memory once.
 */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "Both read; freed once.")
@Outcome(expect = FORBIDDEN, desc = "A reference was lost, or one is left.")
@State
public class ClashingStripersStress {

  private final TierMemory memory = new TierMemory();
  private final LeaseCount count = new LeaseCount(memory, new LeaseStripes(2, 1));

  public ClashingStripersStress() {
    count.retain(2);
  }

  @Actor
  public void first() {
    count.stripe();
    count.release();
  }

  @Actor
  public void second() {
    count.stripe();
    count.release();
  }

  @Arbiter
  public void letGo(III_Result r) {
    r.r1 = memory.bytes;
    memory.letGo();
    count.release();
    r.r2 = memory.freed.get();
    r.r3 = count.refCnt();
  }
}
