// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class ClientThreadsTest {

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException("ended by another");
    }
  }

  @Test
  void eachThreadRunsOnce() throws IOException {
    Set<Integer> ran = ConcurrentHashMap.newKeySet();

    ClientThreads.run("test", 3, thread -> assertThat(ran.add(thread)).isTrue());

    assertThat(ran).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void eachNumberIsTakenOnceByFewThreads() throws IOException {
    Set<Integer> taken = ConcurrentHashMap.newKeySet();

    ClientThreads.each("test", 2, 5, number -> assertThat(taken.add(number)).isTrue());

    assertThat(taken).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
  }

  @Test
  void theFirstFailureEndsAll() {
    CountDownLatch never = new CountDownLatch(1);

    assertThatThrownBy(
            () ->
                ClientThreads.run(
                    "test",
                    2,
                    thread -> {
                      if (thread == 0) {
                        throw new IOException("lost");
                      }
                      await(never);
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("lost");
  }

  @Test
  void anInterruptEndsAll() {
    CountDownLatch never = new CountDownLatch(1);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> ClientThreads.run("test", 1, thread -> await(never)))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
