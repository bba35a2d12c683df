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
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts the thread of a run when it cannot go on: a server has ended, or the disk is full.
 * Clients of HBase would try again for minutes, and HBase itself for ever.
 */
final class RunWatch implements AutoCloseable {

  private final ServerFleet fleet;
  private final Path work;
  private final Thread watched;
  private final ScheduledExecutorService executor;
  private volatile String reason;

  private RunWatch(ServerFleet fleet, Path work, Thread watched) {
    this.fleet = fleet;
    this.work = work;
    this.watched = watched;
    this.executor =
        Executors.newSingleThreadScheduledExecutor(
            runnable -> {
              Thread thread = new Thread(runnable, "terrace-run-watch");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Watches servers and disk on behalf of a thread, until something is wrong or it is closed. */
  static RunWatch start(ServerFleet fleet, Path work, Thread watched) {
    RunWatch watch = new RunWatch(fleet, work, watched);
    var unused = watch.executor.scheduleWithFixedDelay(watch::look, 1, 1, TimeUnit.SECONDS);
    return watch;
  }

  private void look() {
    Optional<String> wrong = fleet.firstDead().map(FailureText::ended).or(this::diskFull);
    if (wrong.isPresent()) {
      reason = wrong.get();
      executor.shutdown();
      watched.interrupt();
    }
  }

  private Optional<String> diskFull() {
    try {
      return FailureText.isFull(work) ? Optional.of(FailureText.diskFull(work)) : Optional.empty();
    } catch (IOException e) {
      // The folder is on its way out, or cannot be looked at; whoever writes to it will say so.
      return Optional.empty();
    }
  }

  /** Returns why the thread was interrupted, if it was. */
  Optional<String> reason() {
    return Optional.ofNullable(reason);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
