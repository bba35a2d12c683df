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
package dev.terrace.hbase;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.region.device.DeviceThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs periodic tasks one after the other on one thread. A failed task is logged and runs again at
 * its next turn. Thread-safe.
 */
final class Chores {

  private record Chore(Duration every, Runnable task) {}

  private final List<Chore> chores = new ArrayList<>();
  private final RateLimitedLog log;
  private ScheduledExecutorService thread;

  Chores(RateLimitedLog log) {
    this.log = log;
  }

  /** Adds a chore, before the start. */
  synchronized void add(Duration every, Runnable task) {
    chores.add(new Chore(every, task));
  }

  synchronized void start() {
    if (chores.isEmpty()) {
      return;
    }
    thread = Executors.newSingleThreadScheduledExecutor(DeviceThreads.daemons("terrace-chores"));
    for (Chore chore : chores) {
      long nanos = chore.every.toNanos();
      var unused = thread.scheduleAtFixedRate(() -> run(chore), nanos, nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void run(Chore chore) {
    try {
      chore.task.run();
    } catch (RuntimeException | Error e) {
      log.warn("Failed, will be tried again in " + chore.every, e);
    }
  }

  /** Ends them; may be called twice, and without a start. */
  synchronized void stop() {
    if (thread != null) {
      thread.shutdown();
    }
  }
}
