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
package dev.terrace.bench.macro;

import dev.terrace.bench.hbase.HBaseServerException;
import dev.terrace.bench.report.PlannedProgress;
import dev.terrace.bench.report.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** A macro run with what surrounds it: progress, a watch over it, and the cleaning up. */
final class MacroSession {

  private final MacroOptions options;
  private final RunFolders folders;
  private final ServerFleet fleet;
  private final PrintWriter out;

  MacroSession(MacroOptions options, RunFolders folders, ServerFleet fleet, PrintWriter out) {
    this.options = options;
    this.folders = folders;
    this.fleet = fleet;
    this.out = out;
  }

  /**
   * Runs everything, and then ends all servers and removes what was made.
   *
   * @throws MacroFailure if something is in the way or was wrong; configurations and logs stay
   */
  List<WorkloadResult> run() throws MacroFailure {
    RunCleanup cleanup =
        RunCleanup.register("terrace bench macro", fleet, folders, options.keep(), out);
    try {
      return run(cleanup);
    } catch (IOException e) {
      throw new MacroFailure(e.getMessage(), e);
    }
  }

  private List<WorkloadResult> run(RunCleanup cleanup) throws MacroFailure, IOException {
    PlannedProgress progress =
        new PlannedProgress(new MacroPlan(options).total(), out, System::nanoTime);
    boolean succeeded = false;
    try {
      List<WorkloadResult> results = watched(new MacroRun(options, folders, fleet, progress));
      succeeded = true;
      out.printf("It took %s%n%n", Progress.inWords(progress.elapsed()));
      return results;
    } catch (MacroFailure e) {
      throw cleanup.wasInterrupted() ? new MacroFailure("stopped before its end", e) : e;
    } finally {
      cleanup.run(succeeded);
    }
  }

  private List<WorkloadResult> watched(MacroRun run) throws MacroFailure {
    try (RunWatch watch = RunWatch.start(fleet, folders.work(), Thread.currentThread())) {
      try {
        List<WorkloadResult> results = run.run();
        out.printf(
            "All %,d rows that were read and looked at had the right values%n",
            run.checks().rows());
        return results;
      } catch (IOException | MacroFailure e) {
        // What follows may wait for things, so an interrupt has done its work now.
        Thread.interrupted();
        throw failure(e, watch.reason());
      }
    }
  }

  private static MacroFailure failure(Exception failure, Optional<String> cause) {
    if (cause.isPresent()) {
      return new MacroFailure(cause.get(), failure);
    }
    if (failure instanceof MacroFailure known) {
      return known;
    }
    String reason =
        failure instanceof HBaseServerException server
            ? server.reason() + "; HBase's log is " + server.log()
            : failure.toString().lines().findFirst().orElse("");
    return new MacroFailure(reason, failure);
  }
}
