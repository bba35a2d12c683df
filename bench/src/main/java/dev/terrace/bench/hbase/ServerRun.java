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
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A run against real servers with what surrounds it: a watch that ends it when a server or the disk
 * is lost, one line that says why it failed, and the cleaning up, also after Ctrl-C.
 */
public final class ServerRun {

  private final String command;
  private final ServerFleet fleet;
  private final RunFolders folders;

  /**
   * A run that was not started yet.
   *
   * @param command for messages, such as {@code terrace bench macro}
   * @param fleet starts its servers
   * @param folders all that it writes is in these
   */
  public ServerRun(String command, ServerFleet fleet, RunFolders folders) {
    this.command = command;
    this.fleet = fleet;
    this.folders = folders;
  }

  /**
   * What is run.
   *
   * @param <R> what comes out
   */
  @FunctionalInterface
  public interface Body<R> {

    /** Runs it; interrupted when it cannot go on. */
    R run() throws IOException, RunFailure;
  }

  /**
   * Returns the HBase that is started.
   *
   * @throws RunFailure if the build has not made it, or it does not start on this Java
   */
  public static HBaseInstall install() throws RunFailure {
    try {
      HBaseInstall install = HBaseInstall.in(HBaseInstall.home());
      HBaseInstall.requireUsableJava();
      return install;
    } catch (IOException e) {
      throw new RunFailure(e.getMessage(), e);
    }
  }

  /**
   * Runs something, then ends all servers and removes what was written.
   *
   * @param keep whether all that was written stays
   * @param console gets the line that tells of Ctrl-C
   * @throws RunFailure if something is in the way or was wrong; configurations and logs stay
   */
  public <R> R run(boolean keep, Consumer<String> console, Body<R> body) throws RunFailure {
    RunCleanup cleanup = RunCleanup.register(command, fleet, folders, keep, console);
    boolean succeeded = false;
    try {
      R result = watched(body);
      succeeded = true;
      return result;
    } catch (RunFailure e) {
      throw cleanup.wasInterrupted() ? new RunFailure("stopped before its end", e) : e;
    } finally {
      cleanup.run(succeeded);
    }
  }

  private <R> R watched(Body<R> body) throws RunFailure {
    try (RunWatch watch = RunWatch.start(fleet, folders.work(), Thread.currentThread())) {
      try {
        return body.run();
      } catch (IOException | RunFailure e) {
        // What follows may wait for things, so an interrupt has done its work now.
        Thread.interrupted();
        throw failure(e, watch.reason());
      }
    }
  }

  private RunFailure failure(Exception failure, Optional<String> reason) {
    if (reason.isPresent()) {
      return new RunFailure(reason.get(), failure);
    }
    return failure instanceof IOException io
        ? new RunFailure(FailureText.of(io, folders.work(), fleet.newestLog()), io)
        : (RunFailure) failure;
  }
}
