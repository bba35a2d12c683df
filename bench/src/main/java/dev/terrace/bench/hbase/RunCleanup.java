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
package dev.terrace.bench.hbase;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Ends the servers and deletes what the run wrote, once: at its end, or when the JVM is asked to
 * end meanwhile, as Ctrl-C does.
 */
final class RunCleanup {

  private final String command;
  private final ServerFleet fleet;
  private final RunFolders folders;
  private final boolean keep;
  private final Consumer<String> console;
  private final AtomicBoolean done = new AtomicBoolean();
  private volatile boolean interrupted;

  private RunCleanup(
      String command,
      ServerFleet fleet,
      RunFolders folders,
      boolean keep,
      Consumer<String> console) {
    this.command = command;
    this.fleet = fleet;
    this.folders = folders;
    this.keep = keep;
    this.console = console;
  }

  /**
   * A cleanup, which from now on also happens when the JVM is asked to end.
   *
   * @param command for messages, such as {@code terrace bench macro}
   * @param keep whether all that was written stays
   * @param console gets a line when the JVM is asked to end
   */
  static RunCleanup register(
      String command,
      ServerFleet fleet,
      RunFolders folders,
      boolean keep,
      Consumer<String> console) {
    RunCleanup cleanup = new RunCleanup(command, fleet, folders, keep, console);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(cleanup::runAtOnce, command.replace(' ', '-') + "-cleanup"));
    return cleanup;
  }

  /**
   * Does it in the normal course. After a failure configurations and logs stay.
   *
   * @throws RunFailure if something cannot be deleted
   */
  void run(boolean succeeded) throws RunFailure {
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
    console.accept("\nStopping HBase" + (keep ? "; its data stays in " + folders.work() : ""));
    fleet.abandon();
    try {
      delete(true);
    } catch (RunFailure e) {
      System.err.println(command + ": " + e.getMessage());
    }
  }

  private void delete(boolean everything) throws RunFailure {
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
      throw new RunFailure("cannot delete what the run wrote: " + e, e);
    }
  }
}
