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
package dev.terrace.api;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Two threads of one stripe, of which one owns it, lose no hit: each counts three. */
@JCStressTest
@Outcome(id = "6", expect = ACCEPTABLE, desc = "All hits.")
@Outcome(expect = FORBIDDEN, desc = "A hit was lost, or counted twice.")
@State
public class HitRecorderStress {

  private static final int TYPE = 0;

  private final HitRecorder recorder = new HitRecorder(1, System::nanoTime);

  @Actor
  public void first() {
    hit();
  }

  @Actor
  public void second() {
    hit();
  }

  private void hit() {
    for (int i = 0; i < 3; i++) {
      recorder.hit(recorder.stripe(), Access.CACHING, TYPE, "file");
    }
  }

  @Arbiter
  public void count(J_Result r) {
    r.r1 = recorder.counts().of(Access.CACHING);
  }
}
