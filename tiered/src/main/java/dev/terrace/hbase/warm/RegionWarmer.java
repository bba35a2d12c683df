/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase.warm;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.blocks.BlockSizes;
import dev.terrace.hbase.heat.PutRouter;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.warm.FileSweep.Part;
import dev.terrace.hbase.warm.WarmPlan.Piece;
import dev.terrace.hbase.warm.list.HeatList;
import dev.terrace.hbase.warm.list.HeatList.OfFile;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the blocks of a region's list, once the region is open, and of what a command names: on a
 * few threads, at a pace, the hottest of all regions first, each into the tier where it was.
 * Thread-safe.
 */
final class RegionWarmer implements BlockWarmer.Turn {

  private static final Logger LOG = LoggerFactory.getLogger(RegionWarmer.class);

  /** Lists in memory have about so many blocks together; further regions wait. */
  private static final int MOST_BLOCKS = HeatList.MOST_BLOCKS;

  /** Reads under way at once: one after the other, those of an object store miss the rate. */
  static final int THREADS = 8;

  /** A read of the store is paid as so many of a tier. */
  private static final int STORE_PRICE = 4;

  private static final long MOST_RECOVERY = TimeUnit.MINUTES.toNanos(1);

  /** A look at whether the tiers' recovery has ended. */
  private static final long RECOVERY_LOOK_MILLIS = 50;

  private final TieredCache<?> tiers;
  private final BlockWarmer blocks;
  private final LongSupplier bytesPerSecond;
  private final RateLimitedLog log;
  private final Executor threads;

  private final Map<Fate, AtomicLong> fates = new EnumMap<>(Fate.class);
  private final AtomicLong readBytes = new AtomicLong();
  private final AtomicLong unreadableLists = new AtomicLong();

  // Guarded by this, as is what regions have of the plan.
  private final Map<HRegion, Warming> all = new HashMap<>();
  private final Deque<Warming> waiting = new ArrayDeque<>();

  /** What has something to take, the most urgent first, beside some that has not any more. */
  private final Queue<Warming> ready =
      new PriorityQueue<>(Comparator.comparingInt(each -> each.queuedRank));

  /** The blocks of the lists in memory. */
  private int listed;

  private WarmCommand command;
  private int running;
  private boolean ended;
  private final long sinceNanos = System.nanoTime();
  private long paidUntilNanos = sinceNanos;

  /**
   * What a thread does next: a piece of a list, or a part of a file, or else reading the list.
   *
   * @param piece may be null
   * @param part may be null
   */
  private record Step(Warming warming, Piece piece, Part part) {

    boolean isBegin() {
      return piece == null && part == null;
    }
  }

  /**
   * Warms nothing yet.
   *
   * @param bytesPerSecond what may be read from the store; 0 for nothing
   * @param threads of which {@link #THREADS} are used
   */
  RegionWarmer(
      TieredCache<?> tiers,
      BlockSizes sizes,
      PutRouter puts,
      LongSupplier bytesPerSecond,
      Executor threads,
      RateLimitedLog log) {
    this.tiers = tiers;
    this.threads = threads;
    this.blocks = new BlockWarmer(tiers, sizes, puts, this, log);
    this.bytesPerSecond = bytesPerSecond;
    this.log = log;
    for (Fate fate : Fate.values()) {
      fates.put(fate, new AtomicLong());
    }
  }

  /** A region is open. Does not wait. */
  synchronized void opened(HRegion region) {
    if (!ended && isOn()) {
      add(new Warming(region, null));
      startThreads();
    }
  }

  private void add(Warming warming) {
    Warming before = all.get(warming.region);
    if (before != null) {
      leave(before);
    }
    all.put(warming.region, warming);
    waiting.add(warming);
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

  /**
   * Warms open regions, beside what is warmed already. Does not wait.
   *
   * @throws IllegalStateException if nothing is warmed here, or another command is running
   */
  synchronized void warm(WarmCommand asked, List<HRegion> regions) {
    if (ended || !isOn()) {
      throw new IllegalStateException(
          ended
              ? "the cache is closed"
              : TerraceSettings.WARM_RATE.key() + "=0: nothing is warmed");
    }
    if (command != null && command.isRunning()) {
      throw new IllegalStateException("a command runs already: " + command);
    }
    command = asked;
    for (HRegion region : regions) {
      Warming warming = all.get(region);
      if (warming == null) {
        warming = new Warming(region, asked);
        add(warming);
      } else {
        warming.command = asked;
      }
      addSweep(warming);
      asked.add(warming);
      makeReady(warming);
    }
    startThreads();
  }

  /** What the command wants beside the list, once that is read. */
  private static void addSweep(Warming warming) {
    WarmCommand asked = warming.command;
    if (warming.sweep == null && asked != null && asked.isOfAll()) {
      warming.sweep = new FileSweep(WarmPlan.files(warming.region, asked.family()).toList());
    }
  }

  /** Ends a command. Regions that were being warmed before it go on. */
  synchronized void stop() {
    if (command == null || !command.isRunning()) {
      return;
    }
    command.end("stopped");
    for (Warming each : List.copyOf(all.values())) {
      each.sweep = null;
      if (each.isByCommandAlone || (each.plan != null && each.isDone())) {
        leave(each);
      }
      each.command = null;
    }
    notifyAll();
  }

  /** How far the last command is. */
  synchronized String command() {
    return command == null ? "none" : command.toString();
  }

  /**
   * A region is closed, and not warmed any more.
   *
   * @return what was not read yet; null if nothing is known, as its list was not read
   */
  synchronized List<OfFile> closed(HRegion region) {
    notifyAll();
    if (ended) {
      return null;
    }
    Warming found = all.get(region);
    if (found == null) {
      return List.of();
    }
    List<OfFile> rest = found.plan == null ? List.of() : found.plan.rest();
    found.count(Fate.LEFT, rest.stream().mapToInt(OfFile::blocks).sum());
    leave(found);
    return found.plan == null && !found.isByCommandAlone ? null : rest;
  }

  /** Whether a region's list has what is still to be warmed, as the region has just opened. */
  synchronized boolean isWarming(HRegion region) {
    Warming found = all.get(region);
    return found != null && !found.isByCommandAlone;
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
    if (command != null) {
      command.end("stopped");
    }
  }

  private void run() {
    boolean isOver = false;
    try {
      byte[] buffer = null;
      for (Step next = next(); next != null; next = next()) {
        buffer = run(next, buffer);
      }
      isOver = true;
    } catch (RuntimeException | Error e) {
      log.warn("A thread that warms regions ends", e);
    } finally {
      if (!isOver) {
        threadEnded();
      }
    }
  }

  /**
   * Does a step. What fails ends its region.
   *
   * @param buffer of the step before; null at first
   */
  private byte[] run(Step next, byte[] buffer) {
    byte[] used = buffer;
    try {
      awaitRecovery();
      if (next.isBegin()) {
        begin(next.warming);
        return used;
      }
      used = used == null ? new byte[PieceReader.MOST_BYTES] : used;
      if (next.piece != null) {
        warm(next.warming, next.piece, used);
      } else {
        sweep(next.warming, next.part, used);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end();
    } catch (RuntimeException | Error e) {
      log.warn("A region is not warmed: region=" + next.warming.name(), e);
      leave(next.warming);
    }
    return used;
  }

  private synchronized void threadEnded() {
    running--;
  }

  /** A list that is to be read, or the hottest piece of all regions; null if there is none. */
  private synchronized Step next() {
    if (!isOn()) {
      clear();
    }
    while (listed < MOST_BLOCKS && !waiting.isEmpty()) {
      Warming first = waiting.remove();
      if (first.isActive) {
        return new Step(first, null, null);
      }
    }
    for (Warming next = ready.poll(); next != null; next = ready.poll()) {
      next.isReady = false;
      if (next.isActive && next.hasNext()) {
        Step step =
            next.plan.hasNext()
                ? new Step(next, next.plan.take(), null)
                : new Step(next, null, next.sweep.take());
        makeReady(next);
        return step;
      }
    }
    threadEnded();
    return null;
  }

  /** Queues a region that has something to take. */
  private void makeReady(Warming warming) {
    if (warming.isActive && !warming.isReady && warming.hasNext()) {
      warming.isReady = true;
      warming.queuedRank = warming.rank();
      ready.add(warming);
    }
  }

  /** What a recovery is about to find must not be read from the store. */
  private synchronized void awaitRecovery() throws InterruptedException {
    // A device that is out of service does not end its recovery.
    while (!ended && !tiers.isRecovered() && System.nanoTime() - sinceNanos < MOST_RECOVERY) {
      wait(RECOVERY_LOOK_MILLIS);
    }
  }

  @Override
  public boolean isActive(Warming warming) {
    return warming.isActive;
  }

  /** Once a region is warm, or is not to be warmed any more. */
  private synchronized void leave(Warming warming) {
    if (warming.isActive) {
      warming.isActive = false;
      all.remove(warming.region, warming);
      listed -= warming.plan == null ? 0 : warming.plan.blocks();
      tell(warming);
      if (warming.command != null) {
        warming.command.regionEnded();
      }
    }
  }

  private void begin(Warming warming) {
    // A region that has just opened is warmed as a whole, whatever a command asks for.
    WarmCommand asked = warming.isByCommandAlone ? warming.command : null;
    String family = asked == null ? null : asked.family();
    WarmPlan plan =
        asked == null || asked.list() == null
            ? WarmPlan.of(warming.region, family, this::unreadable)
            : WarmPlan.of(warming.region, family, asked.list());
    synchronized (this) {
      if (!warming.isActive) {
        return;
      }
      warming.plan = plan;
      listed += plan.blocks();
      warming.count(Fate.GONE, plan.gone());
      goOn(warming);
      startThreads();
    }
  }

  private void unreadable(Path list, IOException cause) {
    unreadableLists.incrementAndGet();
    log.warn("List of heat not read: path=" + list, cause);
  }

  private void warm(Warming warming, Piece piece, byte[] buffer) {
    Map<Fate, Long> counts = blocks.warm(warming, warming.plan.open(piece.file()), piece, buffer);
    synchronized (this) {
      // What closed meanwhile has counted this piece as left.
      if (warming.isActive) {
        counts.forEach(warming::count);
        warming.plan.done(piece);
        goOn(warming);
      }
    }
  }

  private void goOn(Warming warming) {
    if (warming.isDone()) {
      leave(warming);
    } else {
      makeReady(warming);
    }
  }

  /** Caches the next blocks of a region that a command wants, and nobody named hot. */
  private void sweep(Warming warming, Part part, byte[] buffer) {
    WarmCommand asked;
    synchronized (this) {
      asked = warming.command;
      if (asked == null) {
        return;
      }
    }
    Map<Fate, Long> counts = new EnumMap<>(Fate.class);
    long to = blocks.passCached(part, counts);
    boolean hasRoom = to == part.end() || (blocks.hasFreeRoom() && asked.hasRoom(part.file()));
    if (hasRoom && to < part.end()) {
      to = blocks.warmNext(warming, part, to, buffer, counts);
    }
    synchronized (this) {
      if (warming.isActive && warming.command == asked) {
        counts.forEach(warming::count);
        if (!hasRoom) {
          asked.leave(part.end() - to);
        }
        warming.sweep.pass(hasRoom ? to : part.end());
        goOn(warming);
      }
    }
  }

  @Override
  public void countRead(Warming warming, long bytes) {
    readBytes.addAndGet(bytes);
    synchronized (this) {
      warming.readBytes += bytes;
    }
    pay(warming, bytes);
  }

  @Override
  public void countPromoted(Warming warming, long bytes) {
    pay(warming, bytes / STORE_PRICE);
  }

  /** Waits as long as the rate asks for after so many bytes, unless the region closes. */
  private synchronized void pay(Warming warming, long bytes) {
    long rate = bytesPerSecond.getAsLong();
    if (rate == 0) {
      return;
    }
    long nanos = (long) ((double) bytes * TimeUnit.SECONDS.toNanos(1) / rate);
    paidUntilNanos = Math.max(paidUntilNanos, System.nanoTime()) + nanos;
    try {
      while (warming.isActive) {
        long restMillis = TimeUnit.NANOSECONDS.toMillis(paidUntilNanos - System.nanoTime());
        if (restMillis <= 0) {
          return;
        }
        wait(restMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end();
    }
  }

  /** One line a region, at its end. */
  private void tell(Warming warming) {
    warming.fates.forEach((fate, blocks) -> fates.get(fate).addAndGet(blocks));
    String line = warming.line();
    if (!line.isEmpty()) {
      LOG.info("Warmed {}", line);
    }
  }

  /** What became of all regions since the start. */
  void addTo(Map<String, Long> figures) {
    fates.forEach((fate, blocks) -> figures.put(fate.figure(), blocks.get()));
    figures.put("bytesReadToWarm", readBytes.get());
    figures.put("listsNotRead", unreadableLists.get());
    synchronized (this) {
      figures.put("regionsToWarm", (long) all.size());
    }
  }
}
