// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** An executor whose tasks run when the test says so. For one thread. */
final class HandRun implements Executor {

  private final Queue<Runnable> tasks = new ArrayDeque<>();

  private boolean rejects;
  private Error failure;

  /** Takes nothing more, or again. */
  void reject(boolean all) {
    rejects = all;
  }

  /** Throws an error for each task, or none. */
  void fail(Error error) {
    failure = error;
  }

  @Override
  public void execute(Runnable task) {
    if (rejects) {
      throw new RejectedExecutionException("told to reject");
    }
    if (failure != null) {
      throw failure;
    }
    tasks.add(task);
  }

  int waiting() {
    return tasks.size();
  }

  void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
