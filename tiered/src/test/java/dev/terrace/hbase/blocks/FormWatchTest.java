// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A block is not handed out for ever in a form that its readers cannot read. The readers here do
 * what HBase's do to unpack a block, as far as it matters; {@code OtherVersionsIT} has HBase's.
 */
class FormWatchTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "fedcba9876543210fedcba9876543210";
  private static final int SIZE = 30_000;
  private static final int BLOCKS = 5;

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  private final AtomicLong nanos = new AtomicLong();
  private final TieredBlockCache cache = OpenCaches.make(OpenCaches.conf(), nanos::get);

  private void fill(String file, boolean packed) {
    caches.track(cache);
    for (long i = 0; i < BLOCKS; i++) {
      cache.cacheBlock(
          TestBlocks.key(file, i),
          packed ? TestBlocks.packed(file, i, SIZE) : TestBlocks.data(file, i, SIZE));
    }
    assertThat(cache.getBlockCount()).isGreaterThanOrEqualTo(BLOCKS);
  }

  /** Looks a block up as a reader that unpacks or one that does not; whether it was there. */
  private boolean read(String file, long offset, boolean unpacks) {
    Cacheable block = cache.getBlock(TestBlocks.key(file, offset), true, false, true);
    if (block == null) {
      return false;
    }
    if (unpacks) {
      ((HFileBlock) block).getByteBuffAllocator().allocate(2 * SIZE).release();
    }
    block.release();
    return true;
  }

  @Test
  void readersThatUnpackGetPackedBlocksAgainAndAgain() {
    fill(FILE, true);

    for (int round = 0; round < 100; round++) {
      assertThat(read(FILE, round % BLOCKS, true)).isTrue();
    }
  }

  @Test
  void aSecondPackedBlockIsDroppedIfTheFirstWasNotUnpacked() {
    fill(FILE, true);
    fill(OTHER, true);

    assertThat(read(FILE, 0, false)).as("HBase fails to read it").isTrue();
    for (long i = 0; i < BLOCKS; i++) {
      assertThat(read(FILE, i, false)).as("block %d", i).isFalse();
    }

    assertThat(cache.getBlockCount()).as("those of the other file").isEqualTo(BLOCKS);
    assertThat(read(OTHER, 0, true)).isTrue();
  }

  private void readOnAnotherThread(boolean unpacks) throws InterruptedException {
    Thread reader = new Thread(() -> read(FILE, 0, unpacks));
    reader.start();
    reader.join();
  }

  private void pause() {
    nanos.addAndGet(Duration.ofMillis(200).toNanos());
  }

  @Test
  void anotherThreadGetsNoneEitherAfterTwoFailed() throws InterruptedException {
    fill(FILE, true);
    readOnAnotherThread(false);

    assertThat(read(FILE, 0, true)).as("the first one may be about to unpack it").isTrue();
    readOnAnotherThread(false);
    pause();
    readOnAnotherThread(false);
    pause();

    assertThat(read(FILE, 1, false)).isFalse();
  }

  @Test
  void aPauseIsNotTakenForAnotherForm() throws Exception {
    fill(FILE, true);
    CountDownLatch lookedUp = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    CompletableFuture<Void> paused =
        CompletableFuture.runAsync(
            () -> {
              HFileBlock block =
                  (HFileBlock) cache.getBlock(TestBlocks.key(FILE, 0), true, false, true);
              lookedUp.countDown();
              await(goesOn);
              block.getByteBuffAllocator().allocate(2 * SIZE).release();
              block.release();
            });
    lookedUp.await();
    pause();
    readOnAnotherThread(false);
    assertThat(read(FILE, 1, true)).as("after the pause, before the first is unpacked").isTrue();
    goesOn.countDown();
    paused.get(Patience.SECONDS, TimeUnit.SECONDS);
    pause();

    assertThat(read(FILE, 2, true)).isTrue();
    assertThat(cache.getBlockCount()).isEqualTo(BLOCKS);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFileWhosePackedBlocksAreCachedAgainIsReadAgain() {
    fill(FILE, true);
    read(FILE, 0, false);
    assertThat(read(FILE, 0, false)).isFalse();

    cache.cacheBlock(TestBlocks.key(FILE, 0), TestBlocks.packed(FILE, 0, SIZE));

    assertThat(read(FILE, 0, true)).isTrue();
    assertThat(read(FILE, 1, true)).isTrue();
  }

  @Test
  void unpackedBlocksAreDroppedForReadersThatUnpackThem() {
    fill(FILE, false);
    fill(OTHER, false);

    assertThat(read(FILE, 0, true)).as("HBase fails, and nobody knows at which file").isTrue();
    assertThat(read(FILE, 0, true)).as("HBase fails").isTrue();
    for (long i = 0; i < BLOCKS; i++) {
      assertThat(read(FILE, i, true)).as("block %d", i).isFalse();
    }

    assertThat(read(OTHER, 0, false)).isTrue();
    assertThat(cache.getBlockCount()).as("those of the other file").isEqualTo(BLOCKS);
  }

  @Test
  void aBlockThatComesInTheOtherFormReplacesTheResidentOne() {
    fill(FILE, true);
    HFileBlock packed = TestBlocks.packed(FILE, 0, SIZE);
    HFileBlock unpacked = TestBlocks.unpacked(packed, FILE);

    cache.cacheBlock(TestBlocks.key(FILE, 0), unpacked, false, true);

    HFileBlock found = (HFileBlock) cache.getBlock(TestBlocks.key(FILE, 0), true, false, true);
    assertThat(found.isUnpacked()).isTrue();
    found.release();
    assertThat(cache.getStats().getFailedInserts()).isZero();
  }

  @Test
  void readersThatWantBothFormsGetNoneAfterSomeTurns() {
    fill(FILE, true);
    boolean packed = true;
    for (int turn = 0; turn < FormWatch.MOST_TURNS; turn++) {
      for (int i = 0; i < 2 * BLOCKS; i++) {
        boolean unused = read(FILE, i % BLOCKS, !packed);
      }
      packed = !packed;
      fill(FILE, packed);
    }

    for (boolean unpacks : new boolean[] {true, false}) {
      fill(FILE, unpacks);
      for (long i = 0; i < BLOCKS; i++) {
        assertThat(read(FILE, i, unpacks)).as("block %d, unpacks %s", i, unpacks).isFalse();
      }
    }
    fill(OTHER, true);
    assertThat(read(OTHER, 0, true)).isTrue();
  }
}
