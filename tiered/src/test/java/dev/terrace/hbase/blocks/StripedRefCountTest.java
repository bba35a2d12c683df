// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hbase.thirdparty.io.netty.util.IllegalReferenceCountException;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripedRefCountTest {

  private final Level before = ResourceLeakDetector.getLevel();
  private final AtomicInteger freed = new AtomicInteger();
  private final HeldMemory memory = new HeldMemory();
  private final RefCountStripes stripes = new RefCountStripes(2, 1);

  @AfterEach
  void restoreLevel() {
    ResourceLeakDetector.setLevel(before);
  }

  private RefCnt count(Level level) {
    ResourceLeakDetector.setLevel(level);
    return new StripedRefCount(freed::incrementAndGet, stripes).forReaders();
  }

  private StripedRefCount held() {
    return new StripedRefCount(memory, stripes);
  }

  private StripedRefCount striped() {
    StripedRefCount count = held();
    count.stripe();
    assertThat(count.isStriped()).isTrue();
    return count;
  }

  private static void inAnotherThread(Runnable work) {
    CompletableFuture.runAsync(work, task -> new Thread(task).start()).join();
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void theLastReleaseFreesOnce(Level level) {
    RefCnt count = count(level);
    count.retain();
    count.retain(2);

    assertThat(count.release()).isFalse();
    assertThat(count.release(2)).isFalse();
    assertThat(freed).hasValue(0);
    assertThat(count.release()).isTrue();

    assertThat(freed).hasValue(1);
    assertThatThrownBy(count::retain).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(count::release).isInstanceOf(IllegalReferenceCountException.class);
    assertThat(freed).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void readingAfterTheLastReleaseIsNoticed(Level level) {
    ByteBuff bytes = ByteBuff.wrap(new ByteBuffer[] {ByteBuffer.allocateDirect(8)}, count(level));
    assertThat(bytes.getLong(0)).isZero();

    bytes.release();

    assertThatThrownBy(() -> bytes.getLong(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void isTrackedOnlyWhereSomebodyLooksForLeaks(Level level) {
    boolean tracked = !(count(level) instanceof StripedRefCount);

    assertThat(tracked).isEqualTo(level == Level.ADVANCED || level == Level.PARANOID);
  }

  @Test
  void aStripedCountLivesUntilTheLastReleaseAfterTheTierLetGo() {
    StripedRefCount count = striped();
    count.retain();
    count.retain(2);
    assertThat(count.release()).isFalse();
    assertThat(count.refCnt()).isPositive();

    memory.releaseTierReference();
    assertThat(count.isStriped()).isFalse();
    assertThat(count.refCnt()).isEqualTo(3);
    assertThat(count.release()).isFalse();
    assertThat(count.release()).isFalse();
    assertThat(memory.freed).hasValue(0);
    assertThat(count.release()).isTrue();

    assertThat(memory.freed).hasValue(1);
    assertThat(count.refCnt()).isZero();
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(count::retain).isInstanceOf(IllegalReferenceCountException.class);
      assertThatThrownBy(count::release).isInstanceOf(IllegalReferenceCountException.class);
    }
    assertThat(count.refCnt()).isZero();
    assertThat(memory.freed).hasValue(1);
  }

  @Test
  void referencesMayBeReleasedByOtherThreadsThanRetainedThem() {
    StripedRefCount count = striped();
    for (int i = 0; i < 20; i++) {
      count.retain();
      inAnotherThread(() -> assertThat(count.release()).isFalse());
    }
    inAnotherThread(count::retain);

    memory.releaseTierReference();
    assertThat(count.refCnt()).isEqualTo(2);
    inAnotherThread(() -> assertThat(count.release()).isFalse());
    assertThat(count.release()).isTrue();
    assertThat(memory.freed).hasValue(1);
  }

  @Test
  void referencesFromBeforeCountOn() {
    StripedRefCount count = held();
    count.retain(3);
    count.stripe();
    assertThat(count.release(3)).isFalse();

    memory.releaseTierReference();
    assertThat(count.refCnt()).isEqualTo(1);
    assertThat(count.release()).isTrue();
  }

  @Test
  void isNotStripedOnceTheTierLetGo() {
    StripedRefCount count = held();
    count.retain();
    memory.releaseTierReference();

    count.stripe();

    assertThat(count.isStriped()).isFalse();
    assertThat(count.refCnt()).isEqualTo(2);
  }

  @Test
  void isStripedOnce() {
    StripedRefCount count = striped();
    memory.releaseTierReference();
    count.stripe();
    assertThat(count.isStriped()).isFalse();
    assertThat(count.refCnt()).isEqualTo(1);
  }

  @Test
  void isNotStripedOverMemoryThatNoTierHolds() {
    StripedRefCount count = new StripedRefCount(freed::incrementAndGet, stripes);
    count.stripe();

    assertThat(count.isStriped()).isFalse();
    assertThat(count.release()).isTrue();
    assertThat(freed).hasValue(1);
  }

  @Test
  void isNotStripedWhenThereAreNoCells() {
    for (int i = 0; i < RefCountStripes.COLUMNS; i++) {
      striped();
    }
    StripedRefCount count = held();
    count.stripe();

    assertThat(count.isStriped()).isFalse();
    assertThat(count.refCnt()).isEqualTo(1);
  }

  @Test
  void isStripedWhenThreadsTakeTurns() {
    StripedRefCount alone = held();
    StripedRefCount shared = held();
    for (int i = 0; i < 100; i++) {
      alone.retain();
      alone.release();
      shared.retain();
      shared.release();
      inAnotherThread(shared::retain);
      shared.release();
    }

    assertThat(alone.isStriped()).isFalse();
    assertThat(shared.isStriped()).isTrue();
    memory.releaseTierReference();
    assertThat(shared.refCnt()).isEqualTo(1);
  }

  @Test
  void aReleaseTooManyNeverFreesWhatATierHolds() {
    StripedRefCount count = striped();
    assertThat(count.release()).isFalse();

    memory.releaseTierReference();

    assertThat(count.refCnt()).isZero();
    assertThatThrownBy(count::release).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(count::retain).isInstanceOf(IllegalReferenceCountException.class);
    assertThat(memory.freed).hasValue(0);
  }

  @Test
  void endsWithoutReadersAndFreesNothing() {
    for (StripedRefCount count : List.of(held(), striped())) {
      count.retain();
      assertThat(count.endUnlessShared()).isFalse();
      count.release();

      assertThat(count.endUnlessShared()).isTrue();
      assertThat(count.endUnlessShared()).isFalse();
      assertThat(count.refCnt()).isZero();
      assertThatThrownBy(count::retain).isInstanceOf(IllegalReferenceCountException.class);
    }
    assertThat(memory.freed).hasValue(0);
  }

  @Test
  void comparesItselfWithANumberWithoutAChange() {
    StripedRefCount count = held();
    assertThat(count.exceeds(0)).isTrue();
    assertThat(count.exceeds(1)).isFalse();
    inAnotherThread(count::retain);
    count.stripe();
    inAnotherThread(() -> count.retain(2));
    count.release();

    assertThat(count.exceeds(2)).isTrue();
    assertThat(count.exceeds(3)).isFalse();

    memory.releaseTierReference();
    assertThat(count.exceeds(2)).isTrue();
    assertThat(count.exceeds(3)).isFalse();
    count.release(3);
    assertThat(count.exceeds(0)).isFalse();
    assertThat(memory.freed).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void changesArePositive(int references) {
    StripedRefCount count = striped();
    assertThatThrownBy(() -> count.retain(references)).hasMessageContaining("" + references);
    assertThatThrownBy(() -> count.release(references)).hasMessageContaining("" + references);
  }
}
