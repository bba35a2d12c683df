// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import dev.terrace.api.TierStats.LatencySummary;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Counts hits exactly, without atomic operations for most threads, and samples one hit in 1,024, to
 * be timed and for what a tier does only for few hits. Any thread may call any method.
 */
public final class HitRecorder {

  /*
   * The counters are striped by the thread's id. A stripe belongs forever to the first thread that
   * uses it, as ids are not reused. The owner counts in cells that no other thread writes, so it
   * needs no atomic addition. The other threads of the stripe count in cells beside them,
   * atomically. So the sums are exact.
   *
   *   stripe:  | pad | owner | timing flag | owner's cells | pad | unused | timing flag | cells |
   *
   * The value that an addition returns is the sampling clock: a hit is in the sample if a hash of
   * that value has its top bits clear. Unlike "every 64th" this does not fall into step with a
   * periodic access pattern. That takes two multiplications: after one (Fibonacci hashing, Knuth,
   * TAOCP vol. 3, section 6.4) the clock still advances by a constant from period to period, and
   * some phases of short periods are hardly ever sampled. The first hit in each cell always is, so
   * that a new thread is timed early; the listener is not told of it, as there are many cells.
   *
   * A hit cannot be timed after the fact. So a sampled hit sets the stripe's flag, and the next
   * lookup that sees the flag clears it and times itself. The flag is a hint: a race on it only
   * moves or doubles a measurement.
   */

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int PAD = 16;
  private static final int HEAD = 2;
  private static final int MIN_STRIPES = 64;
  private static final int SAMPLE_BITS = 10;
  private static final int SAMPLE_SHIFT = 64 - SAMPLE_BITS;
  private static final long HIGHEST_NANOS = 60_000_000_000L;
  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long SLOT_NANOS = MINUTE_NANOS / 6;

  /** Mean number of hits for each one that {@link #sampleTo} passes on. */
  public static final int HITS_PER_SAMPLE = 1 << SAMPLE_BITS;

  private final long[] cells;
  private final int partLength = HEAD + Counts.cells();
  private final int rowLength = 2 * (PAD + partLength);
  private final int stripeMask;
  private final LongSupplier nanoClock;
  private final Recorder latencies = new Recorder(HIGHEST_NANOS, 2);

  /** The latencies of the last minute, the oldest first; guarded by itself. */
  private final Deque<Slot> lastMinute = new ArrayDeque<>();

  // Reused under that guard: a histogram is 30 KB.
  private final Histogram sum = new Histogram(HIGHEST_NANOS, 2);
  private Histogram sinceLast;

  private volatile Consumer<CacheFile> listener = file -> {};

  /** The {@link #latencies} of a few seconds. */
  private record Slot(long beginNanos, Histogram latencies) {}

  public HitRecorder() {
    this(
        Integer.highestOneBit(
            Math.max(Runtime.getRuntime().availableProcessors() * 8, MIN_STRIPES)),
        System::nanoTime);
  }

  /**
   * A recorder without hits yet.
   *
   * @param stripes a power of two
   * @param nanoClock like {@link System#nanoTime}; finds latencies older than a minute
   */
  HitRecorder(int stripes, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.stripeMask = stripes - 1;
    this.cells = new long[stripes * rowLength + PAD];
  }

  /**
   * Passes on the file of one counted hit in {@link #HITS_PER_SAMPLE}, on the reader's thread.
   *
   * @param files must be quick and must not throw
   */
  public void sampleTo(Consumer<CacheFile> files) {
    listener = files;
  }

  /** The current thread's stripe. The thread passes it to the other methods of the same lookup. */
  public int stripe() {
    long thread = Thread.currentThread().getId();
    int part = ((int) thread & stripeMask) * rowLength + PAD;
    long owner = (long) CELLS.getOpaque(cells, part);
    if (owner == thread || (owner == 0 && CELLS.compareAndSet(cells, part, 0L, thread))) {
      return part;
    }
    return ~(part + partLength + PAD);
  }

  private static boolean isOwned(int stripe) {
    return stripe >= 0;
  }

  private static int part(int stripe) {
    return isOwned(stripe) ? stripe : ~stripe;
  }

  /** Whether to time this lookup: true for about one hit in 1,024. */
  public boolean takeTiming(int stripe) {
    int flag = part(stripe) + 1;
    if (cells[flag] == 0) {
      return false;
    }
    cells[flag] = 0;
    return true;
  }

  /**
   * Counts a hit.
   *
   * @param file the block's file
   * @return whether the hit is in the sample
   */
  public boolean hit(int stripe, Access access, int type, CacheFile file) {
    int part = part(stripe);
    long before = increment(isOwned(stripe), part + HEAD + Counts.index(access, type));
    long hash = hash(before);
    boolean sampled = hash >>> SAMPLE_SHIFT == 0;
    if (sampled) {
      cells[part + 1] = 1;
      if (before != 0 && access != Access.UNCOUNTED) {
        listener.accept(file);
      }
    }
    return sampled;
  }

  private long increment(boolean owned, int cell) {
    if (!owned) {
      return (long) CELLS.getAndAdd(cells, cell, 1L);
    }
    long before = cells[cell];
    CELLS.setOpaque(cells, cell, before + 1);
    return before;
  }

  private static long hash(long clock) {
    long product = clock * GOLDEN;
    return (product ^ product >>> 32) * GOLDEN;
  }

  /** Records the latency of a hit for which {@link #takeTiming} returned true. */
  public void recordNanos(long nanos) {
    latencies.recordValue(Math.min(Math.max(nanos, 0), HIGHEST_NANOS));
  }

  public Counts counts() {
    long[] sums = new long[Counts.cells()];
    for (int part = PAD; part < cells.length; part += rowLength) {
      // No thread counts in a stripe before it has an owner.
      if ((long) CELLS.getOpaque(cells, part) != 0) {
        add(part, sums);
        add(part + partLength + PAD, sums);
      }
    }
    return new Counts(sums);
  }

  private void add(int part, long[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += (long) CELLS.getOpaque(cells, part + HEAD + i);
    }
  }

  /**
   * The latencies measured in the last minute. A measurement counts as made at the next call, so
   * call this at least every few seconds; more often does no harm.
   */
  public LatencySummary latency() {
    synchronized (lastMinute) {
      long now = nanoClock.getAsLong();
      lastMinute.removeIf(slot -> now - slot.beginNanos >= MINUTE_NANOS);
      if (lastMinute.isEmpty() || now - lastMinute.getLast().beginNanos >= SLOT_NANOS) {
        lastMinute.add(new Slot(now, new Histogram(HIGHEST_NANOS, 2)));
      }
      sinceLast = latencies.getIntervalHistogram(sinceLast);
      lastMinute.getLast().latencies.add(sinceLast);
      sum.reset();
      lastMinute.forEach(slot -> sum.add(slot.latencies));
      return sum.getTotalCount() == 0
          ? LatencySummary.NONE
          : new LatencySummary(
              sum.getTotalCount(),
              sum.getMean(),
              sum.getValueAtPercentile(50),
              sum.getValueAtPercentile(99),
              sum.getMaxValue());
    }
  }

  /** Hits by {@link Access} and block type. Immutable. */
  public static final class Counts {

    private final long[] counts;

    Counts(long[] counts) {
      this.counts = counts;
    }

    static int index(Access access, int type) {
      return access.ordinal() * BlockTraits.TYPES + type;
    }

    static int cells() {
      return Access.values().length * BlockTraits.TYPES;
    }

    public long of(Access access, int type) {
      return counts[index(access, type)];
    }

    public long of(Access access) {
      return IntStream.range(0, BlockTraits.TYPES).mapToLong(type -> of(access, type)).sum();
    }

    public long ofType(int type) {
      return Arrays.stream(Access.values())
          .filter(access -> access != Access.UNCOUNTED)
          .mapToLong(access -> of(access, type))
          .sum();
    }

    public long counted() {
      return IntStream.range(0, BlockTraits.TYPES).mapToLong(this::ofType).sum();
    }
  }
}
