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

import dev.terrace.bench.hbase.HBaseServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Runs one task in several threads and tells how far they are meanwhile. */
final class Workers {

  private final Console console;
  private final HBaseServer server;
  private final int threads;

  Workers(Console console, HBaseServer server, int threads) {
    this.console = console;
    this.server = server;
    this.threads = threads;
  }

  int threads() {
    return threads;
  }

  /**
   * Runs the task once in each thread and returns when all have ended.
   *
   * @param name what the threads do, for their names
   * @param task gets the number of its thread, from 0
   * @param progress says how far they are
   * @throws IOException what the first task that failed threw, or that the server ended; the other
   *     tasks are interrupted then
   */
  void run(String name, Task task, Supplier<String> progress) throws IOException {
    AtomicInteger number = new AtomicInteger();
    ExecutorService executor =
        Executors.newFixedThreadPool(
            threads,
            runnable ->
                new Thread(runnable, "terrace-demo-" + name + "-" + number.getAndIncrement()));
    try {
      CompletionService<Void> completion = new ExecutorCompletionService<>(executor);
      for (int i = 0; i < threads; i++) {
        int thread = i;
        completion.submit(
            () -> {
              task.run(thread);
              return null;
            });
      }
      awaitAll(completion, progress);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException(name + " was interrupted").initCause(e);
    } finally {
      executor.shutdownNow();
    }
  }

  private void awaitAll(CompletionService<Void> completion, Supplier<String> progress)
      throws InterruptedException, IOException {
    long interval = console.progressInterval().toNanos();
    long nextReport = System.nanoTime() + interval;
    for (int running = threads; running > 0; ) {
      Future<Void> ended =
          completion.poll(Math.max(1, nextReport - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (ended != null) {
        rethrow(ended);
        running--;
      }
      if (System.nanoTime() - nextReport >= 0) {
        server.requireAlive();
        console.progress(progress.get());
        nextReport = System.nanoTime() + interval;
      }
    }
  }

  private static void rethrow(Future<Void> ended) throws InterruptedException, IOException {
    try {
      ended.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IllegalStateException("a worker of the demo failed", e.getCause());
    }
  }

  /** What each thread does. */
  @FunctionalInterface
  interface Task {
    void run(int thread) throws IOException;
  }
}
