// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SerialLoopTest {

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<String> log = new ArrayList<>();

  private SerialLoop loop(Executor executor, Runnable work) {
    return new SerialLoop(executor, work, e -> log.add("rejected: " + e.getMessage()));
  }

  @Test
  void wakeUpsBeforeARunShareIt() {
    SerialLoop loop = loop(tasks::add, () -> log.add("run"));
    loop.wake();
    loop.wake();
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(log).containsExactly("run");

    loop.wake();
    tasks.remove().run();
    assertThat(log).containsExactly("run", "run");
  }

  @Test
  void aWakeUpDuringARunIsFollowedByAnother() {
    SerialLoop[] loop = new SerialLoop[1];
    loop[0] =
        loop(
            Runnable::run,
            () -> {
              log.add("begin");
              if (log.size() == 1) {
                loop[0].wake();
                loop[0].wake();
              }
              log.add("end");
            });
    loop[0].wake();
    assertThat(log).containsExactly("begin", "end", "begin", "end");
  }

  @Test
  void aRejectedWakeUpIsHandledAndTheNextOneIsNotLost() {
    boolean[] rejects = {true};
    SerialLoop loop =
        loop(
            task -> {
              if (rejects[0]) {
                throw new RejectedExecutionException("closing");
              }
              task.run();
            },
            () -> log.add("run"));
    loop.wake();
    rejects[0] = false;
    loop.wake();
    assertThat(log).containsExactly("rejected: closing", "run");
  }

  @Test
  void whatTheWorkThrowsIsNoRejectionAndEndsThatRunOnly() {
    boolean[] fails = {true};
    SerialLoop loop =
        loop(
            Runnable::run,
            () -> {
              if (fails[0]) {
                throw new OutOfMemoryError("thrown by the test");
              }
              log.add("run");
            });
    assertThatThrownBy(loop::wake).isInstanceOf(OutOfMemoryError.class);
    fails[0] = false;
    loop.wake();
    assertThat(log).containsExactly("run");
  }
}
