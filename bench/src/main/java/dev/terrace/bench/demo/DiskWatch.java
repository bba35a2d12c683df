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
package dev.terrace.bench.demo;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts the thread of the demo when the disk is full. HBase does not fail then: it tries again
 * and again, and its clients wait for it.
 */
final class DiskWatch implements AutoCloseable {

  private final WorkDirectory directory;
  private final Thread watched;
  private final ScheduledExecutorService executor;

  private DiskWatch(WorkDirectory directory, Thread watched) {
    this.directory = directory;
    this.watched = watched;
    this.executor =
        Executors.newSingleThreadScheduledExecutor(
            runnable -> {
              Thread thread = new Thread(runnable, "terrace-demo-disk-watch");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Watches the disk on behalf of a thread, until it is full or this is closed. */
  static DiskWatch start(WorkDirectory directory, Thread watched) {
    DiskWatch watch = new DiskWatch(directory, watched);
    var unused = watch.executor.scheduleWithFixedDelay(watch::look, 1, 1, TimeUnit.SECONDS);
    return watch;
  }

  private void look() {
    boolean full;
    try {
      full = directory.isFull();
    } catch (IOException e) {
      // The folder is on its way out, or cannot be looked at; whoever writes to it will say so.
      return;
    }
    if (full) {
      executor.shutdown();
      watched.interrupt();
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
