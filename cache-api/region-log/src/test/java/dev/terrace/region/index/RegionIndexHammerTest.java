// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.Patience;
import dev.terrace.api.TierHammer;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.memory.DirectMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Readers beside writers that make tables grow, shrink, close and swap pages. An address says which
 * key it was made for, so a pair of words that do not belong together is found.
 */
class RegionIndexHammerTest {

  private static final int WRITERS = 2;
  private static final int READERS = 3;

  /** In the file of these, blocks come and go beside some that always stay. */
  private static final String SHARED = "shared";

  private static final int STAYING = 64;
  private static final int COMING_AND_GOING = 600;

  /** Offsets in the shared file are multiples of this, those in other files are not. */
  private static final long STRIDE = 1 << 16;

  private final long seed = System.nanoTime();
  private final RegionIndex index =
      new RegionIndex(new IndexPages(8, new DirectMemory(ByteBuffer::allocateDirect)));
  private volatile boolean over;

  @Test
  void readersFindWhatIsThereAndNothingElse() throws Exception {
    for (int i = 0; i < STAYING; i++) {
      assertThat(insert(SHARED, staying(i), 0)).isTrue();
    }
    List<Callable<Void>> workers = new ArrayList<>();
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Writer writer = new Writer(i, new SplittableRandom(seed + i));
      writers.add(writer);
      workers.add(writer);
    }
    for (int i = 0; i < READERS; i++) {
      SplittableRandom random = new SplittableRandom(seed + WRITERS + i);
      workers.add(() -> read(random));
    }
    try {
      run(workers);
      int blocks = STAYING;
      for (Writer writer : writers) {
        blocks += writer.checkAll();
      }
      assertThat(index.blocks()).isEqualTo(blocks);
      checkThatOnlyTouchedBlocksWereTouched();
    } catch (Exception | AssertionError e) {
      throw new AssertionError("seed=" + seed, e);
    }
  }

  private void run(List<Callable<Void>> workers) throws Exception {
    long end = System.nanoTime() + TierHammer.duration().toNanos();
    ExecutorService executor = Executors.newFixedThreadPool(workers.size());
    try {
      List<Future<Void>> running = new ArrayList<>();
      for (Callable<Void> worker : workers) {
        running.add(
            executor.submit(
                () -> {
                  try {
                    while (!over && System.nanoTime() - end < 0) {
                      worker.call();
                    }
                    return null;
                  } finally {
                    over = true;
                  }
                }));
      }
      for (Future<Void> worker : running) {
        worker.get(Patience.SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      over = true;
      executor.shutdownNow();
    }
  }

  private static long staying(int i) {
    return (3L * i + 1) * STRIDE;
  }

  private boolean insert(String file, long offset, int version) {
    return index.insert(file(file), offset, address(file, offset, version), traits(offset), true);
  }

  private static long address(String file, long offset, int version) {
    int hash = hash(file, offset);
    return BlockAddress.of(hash >>> 12, version % 1_000 * 64, 1 + (hash & 0xFFF));
  }

  private static int hash(String file, long offset) {
    return (int) (((offset + file.hashCode()) * 0x9E3779B97F4A7C15L) >>> 32);
  }

  private static BlockTraits traits(long offset) {
    return new BlockTraits((int) (offset / STRIDE) & 15, Residency.ORDINARY);
  }

  private static void check(String file, long offset, long address) {
    int hash = hash(file, offset);
    if (BlockAddress.region(address) != hash >>> 12
        || BlockAddress.payloadBytes(address) != 1 + (hash & 0xFFF)) {
      throw new AssertionError(
          file + " " + offset + " has a foreign address: " + BlockAddress.toString(address));
    }
  }

  /** Blocks at odd multiples of the stride are never touched by readers. */
  private static boolean isTouched(long offset) {
    return offset / STRIDE % 2 == 0;
  }

  private Void read(SplittableRandom random) {
    for (int i = 0; i < 100; i++) {
      long there = staying(random.nextInt(STAYING));
      IndexEntry found = index.find(file(SHARED), there);
      assertThat(found).as("block at %d, which is never removed", there).isNotNull();
      lookAt(found, SHARED, there);
      check(SHARED, there, index.address(file(SHARED), there));
      String file = random.nextBoolean() ? SHARED : "short-" + random.nextInt(WRITERS);
      long offset = random.nextInt(COMING_AND_GOING) * STRIDE + (file.equals(SHARED) ? 0 : 1);
      IndexEntry entry = index.find(file(file), offset);
      if (entry != null) {
        lookAt(entry, file, offset);
      }
      long address = index.address(file(file), offset);
      if (address != BlockAddress.NONE) {
        check(file, offset, address);
      }
    }
    index.entries().forEach(e -> check(e.file().name(), e.offset(), e.address()));
    return null;
  }

  private void lookAt(IndexEntry entry, String file, long offset) {
    check(file, offset, entry.address());
    assertThat(entry.offset()).isEqualTo(offset);
    assertThat(entry.traits()).isEqualTo(traits(offset));
    assertThat(entry.isVerified()).isTrue();
    if (isTouched(offset)) {
      index.touch(entry);
      index.touch(file(file), offset);
    }
  }

  private void checkThatOnlyTouchedBlocksWereTouched() {
    index
        .entries()
        .forEach(
            entry -> {
              assertThat(entry.traits()).isEqualTo(traits(entry.offset()));
              if (!isTouched(entry.offset())) {
                assertThat(entry.hits()).as("hits of %s", entry).isZero();
              }
            });
  }

  /**
   * Has its own share of the shared file's offsets, and a file of its own which often becomes
   * empty; and so knows at any time what must be there.
   */
  private final class Writer implements Callable<Void> {

    private final int number;
    private final String file;
    private final SplittableRandom random;
    private final Map<Long, Long> shared = new HashMap<>();
    private final Map<Long, Long> own = new HashMap<>();
    private int version;

    Writer(int number, SplittableRandom random) {
      this.number = number;
      this.random = random;
      file = "short-" + number;
    }

    @Override
    public Void call() {
      boolean growing = random.nextBoolean();
      for (int i = 0; i < 400; i++) {
        int n = random.nextInt(COMING_AND_GOING / WRITERS) * WRITERS + number;
        long offset = n * STRIDE;
        if (n % 3 != 1 || n >= 3 * STAYING) {
          change(SHARED, offset, shared, growing);
        }
        if (i % 8 == 0) {
          changeOwn(random.nextInt(24) * STRIDE + 1);
        }
      }
      assertThat(index.address(file(SHARED), staying(number))).isNotEqualTo(BlockAddress.NONE);
      return null;
    }

    private void change(String name, long offset, Map<Long, Long> model, boolean growing) {
      Long present = model.get(offset);
      long address = address(name, offset, version++);
      int dice = random.nextInt(10);
      if (present == null && dice < (growing ? 9 : 2)) {
        assertThat(insert(name, offset, version - 1)).isTrue();
        model.put(offset, address);
      } else if (present != null && dice < (growing ? 2 : 8)) {
        assertThat(index.remove(file(name), offset, present)).isTrue();
        model.remove(offset);
      } else if (present != null) {
        assertThat(index.replace(file(name), offset, present, address)).isTrue();
        model.put(offset, address);
      }
      assertThat(index.address(file(name), offset))
          .isEqualTo(model.getOrDefault(offset, BlockAddress.NONE));
    }

    private void changeOwn(long offset) {
      change(file, offset, own, random.nextBoolean());
      if (random.nextInt(6) == 0) {
        Map<Long, Long> removed = new HashMap<>();
        index
            .removeRange(file(file), 0, RecordLayout.MAX_OFFSET)
            .forEach(entry -> removed.put(entry.offset(), entry.address()));
        assertThat(removed).isEqualTo(own);
        own.clear();
        assertThat(index.address(file(file), offset)).isEqualTo(BlockAddress.NONE);
      }
    }

    /** How many blocks of this writer's there are, after looking at all of them. */
    int checkAll() {
      shared.forEach(
          (at, address) -> assertThat(index.address(file(SHARED), at)).isEqualTo(address));
      own.forEach((at, address) -> assertThat(index.address(file(file), at)).isEqualTo(address));
      assertThat(index.usage(file(file)).blocks()).isEqualTo(own.size());
      return shared.size() + own.size();
    }
  }

  /** Two threads, each adding and removing a block of one file, which so is opened and closed. */
  @Test
  void insertIntoATableThatClosesIsNotLost() throws Exception {
    List<Callable<Void>> workers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      long offset = i * STRIDE;
      workers.add(
          () -> {
            for (int round = 0; round < 1_000; round++) {
              assertThat(insert("file", offset, round)).isTrue();
              assertThat(index.address(file("file"), offset))
                  .isEqualTo(address("file", offset, round));
              assertThat(index.remove(file("file"), offset))
                  .isEqualTo(address("file", offset, round));
            }
            return null;
          });
    }
    run(workers);
    assertThat(index.blocks()).isZero();
    assertThat(index.payloadBytes()).isZero();
    assertThat(index.tableBytes()).isZero();
    assertThat(index.files()).isExhausted();
  }
}
