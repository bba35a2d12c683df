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
package dev.terrace.bench.report.runs;

import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.page.Headline;
import java.util.List;
import java.util.Optional;

/** What a run's promises come to together. */
final class Promises {

  private Promises() {}

  /** All promises of a run as one goal; empty if it has none. */
  static Optional<Headline.Goal> goal(RunFile run) {
    List<Target> promises = run.facts().promises();
    long met = promises.stream().filter(Target::met).count();
    return promises.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Headline.Goal(
                met == promises.size(), met + " of " + promises.size() + " promises of this run"));
  }
}
