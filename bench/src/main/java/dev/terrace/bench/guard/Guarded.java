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
package dev.terrace.bench.guard;

import dev.terrace.bench.report.Target;
import java.util.ArrayList;
import java.util.List;

/**
 * What a step showed.
 *
 * @param step which
 * @param targets the promises it was held to
 */
record Guarded(GuardStep step, List<Target> targets) {

  /**
   * The promises, and a missed one more where the step was held to fewer than it should: a
   * benchmark that says nothing guards nothing.
   */
  List<Target> checked() {
    List<Target> checked = new ArrayList<>(targets);
    if (targets.size() < step.promises()) {
      checked.add(
          new Target(
              false,
              step.name()
                  + ": "
                  + targets.size()
                  + " promises checked, at least "
                  + step.promises()));
    }
    return List.copyOf(checked);
  }
}
