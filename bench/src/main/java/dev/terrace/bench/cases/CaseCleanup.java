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

import dev.terrace.bench.macro.ServerFleet;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends the servers and deletes what the run wrote, once: at its end, or when the JVM is asked to
 * end meanwhile, as Ctrl-C does.
 */
final class CaseCleanup {

  private final ServerFleet fleet;
  private final CaseFolders folders;
  private final boolean keep;
  private final PrintWriter out;
  private final AtomicBoolean done = new AtomicBoolean();

  CaseCleanup(ServerFleet fleet, CaseFolders folders, boolean keep, PrintWriter out) {
    this.fleet = fleet;
    this.folders = folders;
    this.keep = keep;
    this.out = out;
  }

  /** Makes sure of it for the case that the JVM is asked to end. */
  void registerForInterrupt() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::runAtOnce, "terrace-cases-cleanup"));
  }

  /**
   * Does it in the normal course. After a failure configurations and logs stay.
   *
   * @throws CaseFailure if something cannot be deleted
   */
  void run(boolean succeeded) throws CaseFailure {
    // The data goes away, so nothing would be gained from a shutdown that writes it out.
    fleet.abandon();
    if (done.compareAndSet(false, true)) {
      delete(succeeded);
    }
  }

  private void runAtOnce() {
    if (!done.compareAndSet(false, true)) {
      return;
    }
    out.println("\nStopping all servers" + (keep ? "; data stays in " + folders.work() : ""));
    out.flush();
    fleet.abandon();
    try {
      delete(true);
    } catch (CaseFailure e) {
      System.err.println("terrace bench cases: " + e.getMessage());
    }
  }

  private void delete(boolean everything) throws CaseFailure {
    if (keep) {
      return;
    }
    try {
      if (everything) {
        folders.deleteAll();
      } else {
        folders.deleteCachesAndTable();
      }
    } catch (IOException e) {
      throw new CaseFailure("cannot delete what the run wrote: " + e, e);
    }
  }
}
