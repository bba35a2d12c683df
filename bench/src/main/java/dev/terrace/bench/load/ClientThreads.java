// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.io.function.IOConsumer;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/** Runs one task in several threads. */
public final class ClientThreads {

  private ClientThreads() {}

  /**
   * Runs the task once in each thread, with the thread's number from 0 on, and returns when all
   * have ended. If a task fails, it interrupts the others and throws the first failure.
   */
  public static void run(String name, int threads, IOConsumer<Integer> task) throws IOException {
    ThreadFactory daemons =
        new ThreadFactoryBuilder().setNameFormat("terrace-" + name + "-%d").setDaemon(true).build();
    ExecutorService executor = Executors.newFixedThreadPool(threads, daemons);
    try {
      CompletionService<Void> completion = new ExecutorCompletionService<>(executor);
      for (int i = 0; i < threads; i++) {
        int thread = i;
        completion.submit(
            () -> {
              task.accept(thread);
              return null;
            });
      }
      for (int running = threads; running > 0; running--) {
        completion.take().get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException(name + " was interrupted").initCause(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IllegalStateException("a thread of " + name + " failed", e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  /** Runs the task for each number from 0 to below a count; threads take the numbers in order. */
  static void each(String name, int threads, int count, IOConsumer<Integer> task)
      throws IOException {
    AtomicInteger next = new AtomicInteger();
    run(
        name,
        Math.min(threads, count),
        thread -> {
          for (int i = next.getAndIncrement();
              i < count && !Thread.currentThread().isInterrupted();
              i = next.getAndIncrement()) {
            task.accept(i);
          }
        });
  }
}
