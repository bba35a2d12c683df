// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hbase.thirdparty.io.netty.util.IllegalReferenceCountException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Threads hand references to each other while the tier lets go: the memory is freed once, and not
 * before the last reference is released, whoever releases it.
 */
class StripedRefCountRaceTest {

  private static final int READERS = 3;
  private static final int ROUNDS = 3_000;
  private static final int HITS = 40;

  private final ExecutorService threads = Executors.newFixedThreadPool(READERS + 1);

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void memoryIsFreedOnceAndNotUnderAReader() throws Exception {
    RefCountStripes stripes = new RefCountStripes(READERS, 2);
    int drained = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Round round = new Round(stripes, i % 3);
      List<Future<?>> done = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        done.add(threads.submit(round::read));
      }
      done.add(threads.submit(round::releaseTierReference));
      for (Future<?> one : done) {
        one.get();
      }
      round.check();
      drained += round.wasStriped ? 1 : 0;
    }
    assertThat(drained).isGreaterThan(ROUNDS / 4);
    assertThat(stripes.sets()).as("sets with columns that are still open").isLessThanOrEqualTo(1);
  }

  /** Readers come and go, the count is striped and drained: what is held is seen at each look. */
  @Test
  void aHeldReferenceIsSeenAmongOthersThatComeAndGo() throws Exception {
    RefCountStripes stripes = new RefCountStripes(READERS, 2);
    for (int i = 0; i < ROUNDS; i++) {
      HeldMemory memory = new HeldMemory();
      StripedRefCount count = new StripedRefCount(memory, stripes);
      count.retain();
      CyclicBarrier start = new CyclicBarrier(READERS + 1);
      List<Future<?>> done = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        done.add(threads.submit(() -> comeAndGo(start, count)));
      }
      start.await();
      count.stripe();
      for (int look = 0; look < HITS; look++) {
        assertThat(count.exceeds(1)).as("the tier and a reader hold it").isTrue();
      }
      memory.releaseTierReference();
      count.release();
      assertThat(count.exceeds(0)).as("a reader holds it").isTrue();
      for (Future<?> one : done) {
        one.get();
      }
      assertThat(count.exceeds(1)).as("more than that reader hold it").isFalse();
      assertThat(count.release()).isTrue();
      assertThat(count.exceeds(0)).isFalse();
    }
  }

  private static Void comeAndGo(CyclicBarrier start, StripedRefCount count) throws Exception {
    start.await();
    for (int hit = 0; hit < HITS; hit++) {
      count.retain();
      count.release();
    }
    return null;
  }

  /** The life of one count. */
  private static final class Round {

    private final HeldMemory memory = new HeldMemory();
    private final StripedRefCount count;
    private final int kind;
    private final CyclicBarrier start = new CyclicBarrier(READERS + 1);
    private final ConcurrentLinkedQueue<Integer> handedOver = new ConcurrentLinkedQueue<>();
    private final AtomicInteger frees = new AtomicInteger();
    private volatile boolean wasStriped;

    Round(RefCountStripes stripes, int kind) {
      this.count = new StripedRefCount(memory, stripes);
      this.kind = kind;
      if (kind == 0) {
        stripe();
      }
    }

    private void stripe() {
      count.stripe();
      wasStriped |= count.isStriped();
    }

    Void read() throws Exception {
      start.await();
      for (int hit = 0; hit < HITS && tryRetain(); hit++) {
        assertThat(count.refCnt()).isPositive();
        assertThat(memory.freed).hasValue(0);
        if (kind == 1 && hit == HITS / 8) {
          stripe();
        }
        if (hit % 2 == 0) {
          handedOver.add(1);
        } else {
          release();
        }
        if (hit % 3 == 0 && handedOver.poll() != null) {
          release();
        }
      }
      while (handedOver.poll() != null) {
        release();
      }
      return null;
    }

    private boolean tryRetain() {
      try {
        count.retain();
        return true;
      } catch (IllegalReferenceCountException e) {
        assertThat(count.refCnt()).isZero();
        return false;
      }
    }

    private void release() {
      if (count.release()) {
        frees.incrementAndGet();
      }
    }

    Void releaseTierReference() throws Exception {
      start.await();
      for (int i = 0; i < 50; i++) {
        Thread.onSpinWait();
      }
      memory.releaseTierReference();
      assertThat(count.refCnt()).isPositive();
      release();
      return null;
    }

    void check() {
      assertThat(handedOver).isEmpty();
      assertThat(frees).hasValue(1);
      assertThat(memory.freed).hasValue(1);
      assertThat(count.refCnt()).isZero();
      assertThat(count.isStriped()).isFalse();
    }
  }
}
