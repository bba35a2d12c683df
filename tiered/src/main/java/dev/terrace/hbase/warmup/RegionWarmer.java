// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.api.LogQueue;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.peers.Peers;
import dev.terrace.hbase.warmup.BlockWarmer.Taken;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the blocks of a region's list once the region is open: on a few threads, the hottest of all
 * regions first, each into its former tier. The server that wrote the list is asked for them; those
 * that it does not give are read from the store, rate-limited. Thread-safe.
 */
final class RegionWarmer {

  private static final Logger LOG = LoggerFactory.getLogger(RegionWarmer.class);

  /** Approximate limit of the blocks of all lists in memory; further regions wait. */
  private static final int MAX_BLOCKS = HotList.MAX_BLOCKS;

  /** Concurrent reads. Sequential reads of an object store would not reach the rate. */
  static final int THREADS = 8;

  /** Rate-limit cost of a byte read from the store, relative to a byte promoted from a tier. */
  private static final int STORE_PRICE = 4;

  private static final long MAX_RECOVERY = TimeUnit.MINUTES.toNanos(1);

  /** A server that stays busy is not asked for the same blocks again. */
  private static final long MAX_BUSY = TimeUnit.SECONDS.toNanos(1);

  private static final long BUSY_PAUSE_MILLIS = 10;

  /** Interval of checking whether the tiers have recovered. */
  private static final long RECOVERY_LOOK_MILLIS = 50;

  private final TieredCache<?> tiers;
  private final BlockWarmer blocks;
  private final Peers peers;
  private final LongSupplier bytesPerSecond;
  private final RateLimitedLog log = new RateLimitedLog(RegionWarmer.class);
  private final Executor threads;
  private final LongAdder storeCalls;

  // Guarded by this.
  private final Map<WarmOutcome, Long> outcomes = new EnumMap<>(WarmOutcome.class);
  private long reads;
  private long readBytes;
  private long unreadableLists;
  private final Map<HRegion, Warming> all = new HashMap<>();

  /** Regions whose lists are to be read. */
  private final Deque<Warming> waiting = new ArrayDeque<>();

  private final WarmQueue queue = new WarmQueue(System::nanoTime);

  /** The total blocks of the lists in memory. */
  private int listed;

  private boolean ended;
  private final long sinceNanos = System.nanoTime();
  private long paidUntilNanos = sinceNanos;

  /**
   * Starts without regions.
   *
   * @param bytesPerSecond the rate limit of reads from the store; 0 to warm nothing
   * @param peers the servers that regions come from
   * @param threads runs {@link #THREADS} tasks
   * @param storeCalls counts calls of the store's file system for lists
   */
  RegionWarmer(
      TieredCache<?> tiers,
      PutRouter puts,
      Peers peers,
      LongSupplier bytesPerSecond,
      Executor threads,
      LongAdder storeCalls) {
    this.tiers = tiers;
    this.threads = threads;
    this.storeCalls = storeCalls;
    this.peers = peers;
    this.blocks = new BlockWarmer(tiers, puts, peers, this);
    this.bytesPerSecond = bytesPerSecond;
  }

  /** A region has opened. Does not wait. */
  void opened(HRegion region) {
    synchronized (this) {
      if (ended || !isOn()) {
        return;
      }
      Warming warming = new Warming(region);
      all.put(region, warming);
      waiting.add(warming);
    }
    startThreads();
  }

  boolean isOn() {
    return bytesPerSecond.getAsLong() > 0;
  }

  /** Continues if threads could not be started before. Call from time to time. */
  void resume() {
    if (hasSteps()) {
      startThreads();
    }
  }

  private synchronized boolean hasSteps() {
    queue.forgetIdle();
    return !waiting.isEmpty() || queue.hasNext();
  }

  /** Threads that find nothing to do end at once. */
  private void startThreads() {
    try {
      for (int thread = 0; thread < THREADS; thread++) {
        threads.execute(this::run);
      }
    } catch (RuntimeException | Error e) {
      log.warn("Could not start all warm-up threads; regions warm up more slowly", e);
    }
  }

  /** Stops warming a closed region. Returns whether nothing was left to warm. */
  synchronized boolean closed(HRegion region) {
    notifyAll();
    Warming found = all.get(region);
    if (found != null) {
      found.count(WarmOutcome.INTERRUPTED, found.left);
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
    queue.clear();
    listed = 0;
  }

  private void run() {
    try {
      awaitRecovery();
      for (Runnable next = next(); next != null; next = next()) {
        next.run();
      }
    } catch (RuntimeException | Error e) {
      log.warn("Warm-up thread failed; warm-up continues with fewer threads", e);
    }
  }

  /** A step of a region. A failure ends the warming of the region. */
  private Runnable step(Warming warming, Runnable step) {
    return () -> {
      try {
        step.run();
      } catch (RuntimeException | Error e) {
        log.warn("Warm-up of a region failed, the rest starts cold: region=" + warming.name(), e);
        leave(warming);
      }
    };
  }

  /**
   * What a thread does next: reads a list, or asks a server for the hottest blocks that it has, or
   * reads the hottest piece of all regions. Null if there is nothing to do.
   */
  private synchronized Runnable next() {
    if (!isOn()) {
      clear();
    }
    if (listed < MAX_BLOCKS && !waiting.isEmpty()) {
      Warming warming = waiting.remove();
      return step(warming, () -> begin(warming));
    }
    List<Piece> batch = queue.nextBatch();
    if (!batch.isEmpty()) {
      return () -> ask(batch);
    }
    Piece read = queue.next();
    return read == null ? null : step(read.warming, () -> warm(read));
  }

  /** Asks a server for blocks. Those that it does not give are read from the store later. */
  private void ask(List<Piece> batch) {
    long sinceNanos = System.nanoTime();
    boolean isAnswered = false;
    List<Taken> taken = List.of();
    try {
      while (!isAnswered) {
        try {
          taken = blocks.take(batch);
          isAnswered = true;
        } catch (CallQueueTooBigException e) {
          isAnswered = System.nanoTime() - sinceNanos > MAX_BUSY;
          synchronized (this) {
            pause(BUSY_PAUSE_MILLIS);
          }
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      LogQueue.info(
          LOG,
          "Server gave no blocks, reading them from HBase's store: server={} cause={}",
          batch.get(0).server,
          e.toString());
    } finally {
      synchronized (this) {
        queue.asked(batch, isAnswered);
      }
      // Others ask for more while this one caches.
      startThreads();
    }
    taken.forEach(each -> step(each.piece().warming, () -> put(each)).run());
    synchronized (this) {
      queue.cached(batch);
    }
    startThreads();
  }

  private void put(Taken taken) {
    int bytes = blocks.put(taken);
    synchronized (this) {
      taken.piece().warming.peerBytes += bytes;
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
    waiting.remove(warming);
    listed -= warming.listed;
    if (warming.left > 0) {
      queue.remove(warming);
    }
    StringBuilder line = new StringBuilder();
    warming.outcomes.forEach(
        (outcome, blocks) -> {
          outcomes.merge(outcome, blocks, Long::sum);
          line.append(
              blocks == 0 ? "" : " " + outcome.name().toLowerCase(Locale.ROOT) + "=" + blocks);
        });
    if (!line.isEmpty()) {
      LogQueue.info(
          LOG,
          "Warmed region={} table={}{} peerBytes={} readBytes={} ms={}",
          warming.name(),
          warming.region.getRegionInfo().getTable(),
          line,
          warming.peerBytes,
          warming.readBytes,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - warming.sinceNanos));
    }
  }

  private void begin(Warming warming) {
    WarmPlan plan = new WarmPlan(warming, storeCalls, this::unreadable);
    Map<String, Boolean> mayAsk = new HashMap<>();
    plan.pieces.forEach(piece -> mayAsk.computeIfAbsent(piece.server, peers::mayAsk));
    synchronized (this) {
      if (!warming.isActive) {
        return;
      }
      warming.listed = plan.blocks;
      warming.left = plan.blocks;
      listed += plan.blocks;
      warming.count(WarmOutcome.COMPACTED, plan.gone);
      plan.pieces.forEach(piece -> queue.add(piece, mayAsk.get(piece.server)));
      leaveIfDone(warming);
    }
    startThreads();
  }

  private void unreadable(Path list, IOException cause) {
    synchronized (this) {
      unreadableLists++;
    }
    log.warn("Warm-up list not read, its region starts cold: path=" + list, cause);
  }

  private void warm(Piece piece) {
    Warming warming = piece.warming;
    Map<WarmOutcome, Long> counts = blocks.warm(piece);
    synchronized (this) {
      // If the region closed during the read, this piece was already counted as left.
      if (warming.isActive) {
        counts.forEach(warming::count);
        warming.left -= piece.blocks().size();
        leaveIfDone(warming);
      }
    }
  }

  private void leaveIfDone(Warming warming) {
    if (warming.left == 0) {
      leave(warming);
    }
  }

  /**
   * Counts bytes that were read, and waits to keep to the rate.
   *
   * @param requests reads of the store
   * @param fromStore bytes read from the store
   * @param promoted bytes copied from a lower tier
   */
  synchronized void pace(Warming warming, long requests, long fromStore, long promoted) {
    reads += requests;
    readBytes += fromStore;
    warming.readBytes += fromStore;
    long rate = bytesPerSecond.getAsLong();
    if (rate == 0) {
      return;
    }
    double seconds = (fromStore + (double) promoted / STORE_PRICE) / rate;
    long nanos = (long) (seconds * TimeUnit.SECONDS.toNanos(1));
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
    for (WarmOutcome outcome : WarmOutcome.values()) {
      figures.put(outcome.figure(), outcomes.getOrDefault(outcome, 0L));
    }
    figures.put("readsToWarm", reads);
    figures.put("bytesReadToWarm", readBytes);
    figures.put("listsNotRead", unreadableLists);
    figures.put("regionsToWarm", (long) all.size());
  }
}
