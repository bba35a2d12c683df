// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.warmup.RegionHeat.Fate;
import dev.terrace.hbase.warmup.WarmPlan.Piece;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the blocks of a region's list once the region is open: on a few threads, rate-limited, the
 * hottest of all regions first, each into its former tier. Thread-safe.
 */
final class RegionWarmer {

  private static final Logger LOG = LoggerFactory.getLogger(RegionWarmer.class);

  /** Approximate limit of the blocks of all lists in memory; further regions wait. */
  private static final int MAX_BLOCKS = HeatList.MAX_BLOCKS;

  /** Concurrent reads. Sequential reads of an object store would not reach the rate. */
  static final int THREADS = 8;

  /** Rate-limit cost of a byte read from the store, relative to a byte promoted from a tier. */
  private static final int STORE_PRICE = 4;

  private static final long MAX_RECOVERY = TimeUnit.MINUTES.toNanos(1);

  /** Interval of checking whether the tiers have recovered. */
  private static final long RECOVERY_LOOK_MILLIS = 50;

  private final TieredCache<?> tiers;
  private final BlockWarmer blocks;
  private final LongSupplier bytesPerSecond;
  private final RateLimitedLog log;
  private final Executor threads;

  // Guarded by this, as are the plans of the regions.
  private final Map<Fate, Long> fates = new EnumMap<>(Fate.class);
  private long readBytes;
  private long unreadableLists;
  private final Map<HRegion, Warming> all = new HashMap<>();
  private final Deque<Warming> waiting = new ArrayDeque<>();

  /** Regions with a piece that no thread has taken, the most urgent first. */
  private final Queue<Warming> ready =
      new PriorityQueue<>(Comparator.comparingInt(each -> each.queuedRank));

  /** The total blocks of the lists in memory. */
  private int listed;

  private int running;
  private boolean ended;
  private final long sinceNanos = System.nanoTime();
  private long paidUntilNanos = sinceNanos;

  /** A region that is being warmed since it opened. Guarded by its warmer. */
  static final class Warming {

    final HRegion region;
    final Map<Fate, Long> fates = new EnumMap<>(Fate.class);

    /** By file. */
    final Map<String, Integer> failures = new ConcurrentHashMap<>();

    /** Whether the region is still to be warmed. Any thread may read it. */
    volatile boolean isActive = true;

    /** Null until its list is read. */
    WarmPlan plan;

    /** The rank of the next piece when the region was queued. */
    int queuedRank;

    long readBytes;
    private final long sinceNanos = System.nanoTime();

    Warming(HRegion region) {
      this.region = region;
    }

    String name() {
      return region.getRegionInfo().getEncodedName();
    }

    void count(Fate fate, long blocks) {
      fates.merge(fate, blocks, Long::sum);
    }
  }

  /**
   * A thread's next step.
   *
   * @param piece null if the region's list is to be read
   */
  private record Step(Warming warming, Piece piece) {}

  /**
   * Starts without regions.
   *
   * @param bytesPerSecond the rate limit of reads from the store; 0 to warm nothing
   * @param threads runs {@link #THREADS} tasks
   */
  RegionWarmer(
      TieredCache<?> tiers,
      PutRouter puts,
      LongSupplier bytesPerSecond,
      Executor threads,
      RateLimitedLog log) {
    this.tiers = tiers;
    this.threads = threads;
    this.blocks = new BlockWarmer(tiers, puts, this, log);
    this.bytesPerSecond = bytesPerSecond;
    this.log = log;
  }

  /** A region has opened. Does not wait. */
  synchronized void opened(HRegion region) {
    if (ended || !isOn()) {
      return;
    }
    Warming warming = new Warming(region);
    Warming before = all.put(region, warming);
    if (before != null) {
      leave(before);
    }
    waiting.add(warming);
    startThreads();
  }

  boolean isOn() {
    return bytesPerSecond.getAsLong() > 0;
  }

  /** Continues if threads could not be started before. Call from time to time. */
  synchronized void resume() {
    if (!waiting.isEmpty() || !ready.isEmpty()) {
      startThreads();
    }
  }

  private void startThreads() {
    try {
      for (; running < THREADS; running++) {
        threads.execute(this::run);
      }
    } catch (RuntimeException | Error e) {
      log.warn("Regions are warmed by " + running + " threads: no more can be started now", e);
    }
  }

  /** Stops warming a closed region. Returns whether nothing was left to warm. */
  synchronized boolean closed(HRegion region) {
    notifyAll();
    Warming found = all.get(region);
    if (found != null) {
      found.count(Fate.LEFT, found.plan == null ? 0 : found.plan.left());
      leave(found);
    }
    return found == null && !ended;
  }

  /** Whether a region is still being warmed: its list has the blocks that are missing here. */
  synchronized boolean isWarming(HRegion region) {
    return all.containsKey(region);
  }

  /** Stops warming for good. */
  synchronized void end() {
    ended = true;
    clear();
    notifyAll();
  }

  private void clear() {
    all.values().forEach(each -> each.isActive = false);
    all.clear();
    waiting.clear();
    ready.clear();
    listed = 0;
  }

  private void run() {
    try {
      byte[] buffer = new byte[PieceReader.MAX_BYTES];
      for (Step next = next(); next != null; next = next()) {
        run(next, buffer);
      }
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        running--;
      }
      log.warn("A thread that warms regions ends", e);
    }
  }

  /** Runs a step. A failure ends the warming of its region. */
  private void run(Step next, byte[] buffer) {
    try {
      awaitRecovery();
      if (next.piece == null) {
        begin(next.warming);
      } else {
        warm(next.warming, next.piece, buffer);
      }
    } catch (RuntimeException | Error e) {
      log.warn("A region is not warmed: region=" + next.warming.name(), e);
      leave(next.warming);
    }
  }

  /** The next list to read, or else the hottest piece of all regions; null if there is neither. */
  private synchronized Step next() {
    if (!isOn()) {
      clear();
    }
    while (listed < MAX_BLOCKS && !waiting.isEmpty()) {
      Warming first = waiting.remove();
      if (first.isActive) {
        return new Step(first, null);
      }
    }
    for (Warming next = ready.poll(); next != null; next = ready.poll()) {
      if (next.isActive) {
        Step step = new Step(next, next.plan.take());
        prepareNext(next);
        return step;
      }
    }
    running--;
    return null;
  }

  /** Queues a region if it has a piece that no thread has taken. */
  private void prepareNext(Warming warming) {
    if (warming.plan.hasNext()) {
      warming.queuedRank = warming.plan.rank();
      ready.add(warming);
    }
  }

  /** Waits for the recovery, since blocks that it finds must not be read from the store. */
  private synchronized void awaitRecovery() {
    // The limit is for devices that are out of service, whose recovery does not end.
    while (!ended && !tiers.isRecovered() && System.nanoTime() - sinceNanos < MAX_RECOVERY) {
      pause(RECOVERY_LOOK_MILLIS);
    }
  }

  /** Waits; a region's close ends the wait early. Callers loop. */
  @SuppressWarnings("WaitNotInLoop")
  private void pause(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end();
    }
  }

  /** Ends the warming of a region, done or not. Logs a line if the region had blocks. */
  private synchronized void leave(Warming warming) {
    if (!warming.isActive) {
      return;
    }
    warming.isActive = false;
    all.remove(warming.region, warming);
    listed -= warming.plan == null ? 0 : warming.plan.blocks();
    StringBuilder line = new StringBuilder();
    warming.fates.forEach(
        (fate, blocks) -> {
          fates.merge(fate, blocks, Long::sum);
          line.append(blocks == 0 ? "" : " " + fate.word() + "=" + blocks);
        });
    if (!line.isEmpty()) {
      LOG.info(
          "Warmed region={} table={}{} readBytes={} ms={}",
          warming.name(),
          warming.region.getRegionInfo().getTable(),
          line,
          warming.readBytes,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - warming.sinceNanos));
    }
  }

  private void begin(Warming warming) {
    WarmPlan plan = WarmPlan.of(warming.region, this::unreadable);
    synchronized (this) {
      if (!warming.isActive) {
        return;
      }
      warming.plan = plan;
      listed += plan.blocks();
      warming.count(Fate.GONE, plan.gone());
      prepareNext(warming);
      leaveIfDone(warming);
      startThreads();
    }
  }

  private void unreadable(Path list, IOException cause) {
    synchronized (this) {
      unreadableLists++;
    }
    log.warn("List of heat not read: path=" + list, cause);
  }

  private void warm(Warming warming, Piece piece, byte[] buffer) {
    Map<Fate, Long> counts = blocks.warm(warming, warming.plan.open(piece.file()), piece, buffer);
    synchronized (this) {
      // If the region closed during the read, this piece was already counted as left.
      if (warming.isActive) {
        counts.forEach(warming::count);
        warming.plan.done(piece);
        leaveIfDone(warming);
      }
    }
  }

  private void leaveIfDone(Warming warming) {
    if (warming.plan.isDone()) {
      leave(warming);
    }
  }

  /** Counts bytes that were read from the store, and waits to keep to the rate. */
  void paceRead(Warming warming, long bytes) {
    synchronized (this) {
      readBytes += bytes;
      warming.readBytes += bytes;
    }
    pace(warming, bytes);
  }

  /** Waits to keep to the rate after bytes were copied from a lower tier. */
  void pacePromoted(Warming warming, long bytes) {
    pace(warming, bytes / STORE_PRICE);
  }

  private synchronized void pace(Warming warming, long bytes) {
    long rate = bytesPerSecond.getAsLong();
    if (rate == 0) {
      return;
    }
    long nanos = (long) ((double) bytes * TimeUnit.SECONDS.toNanos(1) / rate);
    paidUntilNanos = Math.max(paidUntilNanos, System.nanoTime()) + nanos;
    long restMillis = Long.MAX_VALUE;
    while (warming.isActive && restMillis > 0) {
      restMillis = TimeUnit.NANOSECONDS.toMillis(paidUntilNanos - System.nanoTime());
      if (restMillis > 0) {
        pause(restMillis);
      }
    }
  }

  /** Adds the counters of all regions since the start. */
  synchronized void addTo(Map<String, Long> figures) {
    for (Fate fate : Fate.values()) {
      figures.put(fate.figure(), fates.getOrDefault(fate, 0L));
    }
    figures.put("bytesReadToWarm", readBytes);
    figures.put("listsNotRead", unreadableLists);
    figures.put("regionsToWarm", (long) all.size());
  }
}
