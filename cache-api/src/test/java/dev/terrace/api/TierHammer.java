// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static dev.terrace.api.TestFiles.file;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Threads that get, put and evict the same few keys, hold some of what they read for a while, and
 * check every byte twice: when they get it, and when they give it back.
 */
public final class TierHammer {

  private static final int FILES = 4;
  private static final int OFFSETS = 8;
  private static final int HELD = 6;
  private static final long STEP_BYTES = 1 << 20;

  private final Tier<CountedBlock> tier;
  private final int largestBlockBytes;
  private final int maxStoredBytes;
  private final long seed;
  private BooleanSupplier goal = () -> true;
  private volatile boolean over;

  /**
   * A hammer for a tier.
   *
   * @param largestBlockBytes blocks are from 1 byte to this long
   */
  public TierHammer(Tier<CountedBlock> tier, int largestBlockBytes, long seed) {
    this(tier, largestBlockBytes, largestBlockBytes, seed);
  }

  /**
   * A hammer for a tier that stores blocks in another size.
   *
   * @param maxStoredBytes the most that it stores of a block
   */
  public TierHammer(Tier<CountedBlock> tier, int largestBlockBytes, int maxStoredBytes, long seed) {
    this.tier = tier;
    this.largestBlockBytes = largestBlockBytes;
    this.maxStoredBytes = maxStoredBytes;
    this.seed = seed;
  }

  /** How long to hammer; see {@link TestEffort}. */
  public static Duration duration() {
    return Duration.ofMillis(TestEffort.times(2_000));
  }

  /** Makes it hammer until something has happened, too, however slow the machine is. */
  public TierHammer until(BooleanSupplier goal) {
    this.goal = goal;
    return this;
  }

  /** A look at the tier, or something done to it, beside the hammering threads. */
  @FunctionalInterface
  public interface Aside {
    void run(long count) throws Exception;
  }

  /**
   * Hammers until the time is over or a thread finds something wrong, then gives all leases back.
   *
   * @param aside run again and again on the calling thread
   */
  public void run(int threads, Duration duration, Aside aside) throws Exception {
    long start = System.nanoTime();
    over = false;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Void>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(executor.submit(new Worker(new SplittableRandom(seed + i))));
      }
      long count = 0;
      while (goesOn(System.nanoTime() - start, duration)
          && running.stream().noneMatch(Future::isDone)) {
        aside.run(count++);
      }
      over = true;
      for (Future<Void> worker : running) {
        worker.get(Patience.SECONDS, TimeUnit.SECONDS);
      }
    } catch (Exception e) {
      throw new AssertionError("hammering with seed=" + seed, e);
    } finally {
      over = true;
      executor.shutdownNow();
    }
  }

  private boolean goesOn(long nanos, Duration duration) {
    return nanos < duration.toNanos() || (nanos < Patience.LIMIT.toNanos() && !goal.getAsBoolean());
  }

  private record Held(String file, long offset, CountedBlock block) {

    void giveBack() {
      Payloads.check(file, offset, block);
      block.release();
    }
  }

  private final class Worker implements Callable<Void> {

    private final SplittableRandom random;
    private final Held[] held = new Held[HELD];

    Worker(SplittableRandom random) {
      this.random = random;
    }

    @Override
    public Void call() {
      try {
        while (!over) {
          step("file-" + random.nextInt(FILES), random.nextInt(OFFSETS) * STEP_BYTES);
        }
      } finally {
        for (int i = 0; i < HELD; i++) {
          hold(i, null);
        }
      }
      return null;
    }

    private void step(String file, long offset) {
      int dice = random.nextInt(100);
      if (dice < 55) {
        get(file, offset);
      } else if (dice < 83) {
        put(file, offset);
      } else if (dice < 91) {
        tier.evict(file(file), offset, offset);
      } else if (dice < 94) {
        tier.evict(file(file), Long.MIN_VALUE, Long.MAX_VALUE);
      } else if (dice < 97) {
        tier.evict(file(file), offset, offset + random.nextInt(OFFSETS) * STEP_BYTES);
      } else {
        list(file);
      }
    }

    private void get(String file, long offset) {
      Access[] accesses = Access.values();
      CountedBlock block = tier.get(file(file), offset, accesses[random.nextInt(accesses.length)]);
      if (block == null) {
        return;
      }
      Held got = new Held(file, offset, block);
      Payloads.check(file, offset, block);
      if (random.nextInt(4) == 0) {
        hold(random.nextInt(HELD), got);
      } else {
        got.giveBack();
      }
    }

    private void hold(int slot, Held block) {
      Held before = held[slot];
      held[slot] = block;
      if (before != null) {
        before.giveBack();
      }
    }

    private void put(String file, long offset) {
      int size = 1 + random.nextInt(largestBlockBytes);
      BlockTraits.Residency residency =
          random.nextInt(4) == 0 ? BlockTraits.Residency.PROTECTED : BlockTraits.Residency.ORDINARY;
      CountedBlock block = CountedBlock.of(file, offset, size);
      tier.put(
          file(file),
          offset,
          block,
          new BlockTraits(random.nextInt(BlockTraits.TYPES), residency),
          0);
      block.release();
    }

    private void list(String file) {
      FileUsage usage = tier.usage(file(file));
      require(usage.blocks() >= 0 && usage.blocks() <= OFFSETS, usage);
      require(usage.payloadBytes() >= 0 && usage.blocks() > 0 == usage.payloadBytes() > 0, usage);
      for (Iterator<BlockInfo> blocks = tier.blocks(); blocks.hasNext(); ) {
        BlockInfo info = blocks.next();
        require(info.sizeBytes() > 0 && info.sizeBytes() <= maxStoredBytes, info);
      }
      for (Iterator<FileUsage> files = tier.files(); files.hasNext(); ) {
        FileUsage other = files.next();
        require(other.blocks() > 0 && other.payloadBytes() > 0, other);
      }
    }

    private void require(boolean holds, Object found) {
      if (!holds) {
        throw new AssertionError("out of bounds: " + found);
      }
    }
  }
}
