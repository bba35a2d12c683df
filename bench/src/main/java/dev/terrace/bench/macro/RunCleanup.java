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

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends the servers and deletes what the run wrote, once: at its end, or when the JVM is asked to
 * end meanwhile, as Ctrl-C does.
 */
public final class RunCleanup {

  private final String command;
  private final ServerFleet fleet;
  private final RunFolders folders;
  private final boolean keep;
  private final PrintWriter out;
  private final AtomicBoolean done = new AtomicBoolean();
  private volatile boolean interrupted;

  private RunCleanup(
      String command, ServerFleet fleet, RunFolders folders, boolean keep, PrintWriter out) {
    this.command = command;
    this.fleet = fleet;
    this.folders = folders;
    this.keep = keep;
    this.out = out;
  }

  /**
   * A cleanup, which from now on also happens when the JVM is asked to end.
   *
   * @param command for messages, such as {@code terrace bench macro}
   * @param keep whether all that was written stays
   */
  public static RunCleanup register(
      String command, ServerFleet fleet, RunFolders folders, boolean keep, PrintWriter out) {
    RunCleanup cleanup = new RunCleanup(command, fleet, folders, keep, out);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(cleanup::runAtOnce, command.replace(' ', '-') + "-cleanup"));
    return cleanup;
  }

  /**
   * Does it in the normal course. After a failure configurations and logs stay.
   *
   * @throws IOException in words for the user, if something cannot be deleted
   */
  public void run(boolean succeeded) throws IOException {
    // The data goes away, so nothing would be gained from a shutdown that writes it out.
    fleet.abandon();
    if (done.compareAndSet(false, true)) {
      delete(succeeded);
    }
  }

  /** Returns whether the JVM was asked to end, so that what fails now does so for that reason. */
  boolean wasInterrupted() {
    return interrupted;
  }

  private void runAtOnce() {
    if (!done.compareAndSet(false, true)) {
      return;
    }
    interrupted = true;
    out.println("\nStopping all servers" + (keep ? "; data stays in " + folders.work() : ""));
    out.flush();
    fleet.abandon();
    try {
      delete(true);
    } catch (IOException e) {
      System.err.println(command + ": " + e.getMessage());
    }
  }

  private void delete(boolean everything) throws IOException {
    if (keep) {
      return;
    }
    try {
      if (everything) {
        folders.deleteAll();
      } else {
        folders.deleteData();
      }
    } catch (IOException e) {
      throw new IOException("cannot delete what the run wrote: " + e, e);
    }
  }
}
