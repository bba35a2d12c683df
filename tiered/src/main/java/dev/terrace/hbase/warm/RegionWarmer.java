// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warm;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.heat.PutRouter;
import dev.terrace.hbase.warm.RegionHeat.Fate;
import dev.terrace.hbase.warm.WarmPlan.Piece;
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
 * Reads the blocks of a region's list once the region is open: on a few threads, at a pace, the
 * hottest of all regions first, each into the tier where it was. Thread-safe.
 */
final class RegionWarmer {

  private static final Logger LOG = LoggerFactory.getLogger(RegionWarmer.class);

  /** Lists in memory have about so many blocks together; further regions wait. */
  private static final int MOST_BLOCKS = HeatList.MOST_BLOCKS;

  /** Reads under way at once: one after the other, those of an object store miss the rate. */
  static final int THREADS = 8;

  /** Rate-limit cost of a byte read from the store, relative to a byte promoted from a tier. */
  private static final int STORE_PRICE = 4;

  private static final long MOST_RECOVERY = TimeUnit.MINUTES.toNanos(1);

  /** A look at whether the tiers' recovery has ended. */
  private static final long RECOVERY_LOOK_MILLIS = 50;

  private final TieredCache<?> tiers;
  private final BlockWarmer blocks;
  private final LongSupplier bytesPerSecond;
  private final RateLimitedLog log;
  private final Executor threads;

  // Guarded by this, as is what regions have of the plan.
  private final Map<Fate, Long> fates = new EnumMap<>(Fate.class);
  private long readBytes;
  private long unreadableLists;
  private final Map<HRegion, Warming> all = new HashMap<>();
  private final Deque<Warming> waiting = new ArrayDeque<>();

  /** Regions with a piece that no thread has taken, the most urgent first. */
  private final Queue<Warming> ready =
      new PriorityQueue<>(Comparator.comparingInt(each -> each.queuedRank));

  /** The blocks of the lists in memory. */
  private int listed;

  private int running;
  private boolean ended;
  private final long sinceNanos = System.nanoTime();
  private long paidUntilNanos = sinceNanos;

  /** A region that is warmed because it has opened. Guarded by its warmer. */
  static final class Warming {

    final HRegion region;
    final Map<Fate, Long> fates = new EnumMap<>(Fate.class);

    /** By file. */
    final Map<String, Integer> failures = new ConcurrentHashMap<>();

    /** Whether it is still to be warmed. Read by any thread. */
    volatile boolean isActive = true;

    /** Null until its list is read. */
    WarmPlan plan;

    /** The rank of the piece that it waits with in the queue. */
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
   * What a thread does next.
   *
   * @param piece null if the region's list is to be read
   */
  private record Step(Warming warming, Piece piece) {}

  /**
   * Warms nothing yet.
   *
   * @param bytesPerSecond what may be read from the store; 0 for nothing
   * @param threads of which {@link #THREADS} are used
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

  /** A region is open. Does not wait. */
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

  /** Goes on with what waits because no thread could be started. To be called once in a while. */
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

  /** A region is closed, and not warmed any more. Returns whether nothing was left to be warmed. */
  synchronized boolean closed(HRegion region) {
    notifyAll();
    Warming found = all.get(region);
    if (found != null) {
      found.count(Fate.LEFT, found.plan == null ? 0 : found.plan.left());
      leave(found);
    }
    return found == null && !ended;
  }

  /** Whether a region's list has what is still to be warmed, as the region has just opened. */
  synchronized boolean isWarming(HRegion region) {
    return all.containsKey(region);
  }

  /** Warms nothing from now on. */
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
      byte[] buffer = new byte[PieceReader.MOST_BYTES];
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

  /** Does a step. What fails ends its region. */
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

  /** A list that is to be read, or the hottest piece of all regions; null if there is none. */
  private synchronized Step next() {
    if (!isOn()) {
      clear();
    }
    while (listed < MOST_BLOCKS && !waiting.isEmpty()) {
      Warming first = waiting.remove();
      if (first.isActive) {
        return new Step(first, null);
      }
    }
    for (Warming next = ready.poll(); next != null; next = ready.poll()) {
      if (next.isActive) {
        Step step = new Step(next, next.plan.take());
        makeReady(next);
        return step;
      }
    }
    running--;
    return null;
  }

  /** Queues a region if it has a piece that no thread has taken. */
  private void makeReady(Warming warming) {
    if (warming.plan.hasNext()) {
      warming.queuedRank = warming.plan.rank();
      ready.add(warming);
    }
  }

  /** What a recovery is about to find must not be read from the store. */
  private synchronized void awaitRecovery() {
    // A device that is out of service does not end its recovery.
    while (!ended && !tiers.isRecovered() && System.nanoTime() - sinceNanos < MOST_RECOVERY) {
      pause(RECOVERY_LOOK_MILLIS);
    }
  }

  /** Waits, unless a region closes meanwhile. Its callers loop. */
  @SuppressWarnings("WaitNotInLoop")
  private void pause(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end();
    }
  }

  /** Once a region is warm, or is not to be warmed any more. Logs a line if it had blocks. */
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
      makeReady(warming);
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
      // What closed meanwhile has counted this piece as left.
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

  /** Counts bytes that were read from the store, and waits as long as they take at the rate. */
  void paceRead(Warming warming, long bytes) {
    synchronized (this) {
      readBytes += bytes;
      warming.readBytes += bytes;
    }
    pace(warming, bytes);
  }

  /** Waits as long as bytes that were copied from a lower tier take at the rate. */
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

  /** What became of all regions since the start. */
  synchronized void addTo(Map<String, Long> figures) {
    for (Fate fate : Fate.values()) {
      figures.put(fate.figure(), fates.getOrDefault(fate, 0L));
    }
    figures.put("bytesReadToWarm", readBytes);
    figures.put("listsNotRead", unreadableLists);
    figures.put("regionsToWarm", (long) all.size());
  }
}
