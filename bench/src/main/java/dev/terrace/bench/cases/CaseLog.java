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
package dev.terrace.bench.cases;

import dev.terrace.bench.report.PlannedProgress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Says what begins, in which case, and how much time is left. Used by one thread. */
final class CaseLog {

  private final PlannedProgress progress;
  private String prefix = "";

  CaseLog(double plannedSeconds, PrintWriter out, LongSupplier nanoClock) {
    this.progress = new PlannedProgress(plannedSeconds, out, nanoClock);
  }

  /** Puts something before what begins from now on. */
  void prefix(String text) {
    prefix = text;
  }

  /** Something begins. */
  void begin(String what) {
    progress.begin(prefix + what);
  }

  /** Something that was planned to take so long is done. */
  void done(double planned) {
    progress.done(planned);
  }

  Duration elapsed() {
    return progress.elapsed();
  }
}
