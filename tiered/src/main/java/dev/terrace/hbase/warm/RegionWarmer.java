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

import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.Memo;
import dev.terrace.hbase.heat.PutRouter;
import dev.terrace.hbase.warm.HeatList.Mark;
import dev.terrace.hbase.warm.HeatList.OfFile;
import dev.terrace.hbase.warm.WarmPlan.Piece;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the blocks of a region's list, once the region is open: on a few threads, at a pace, the
 * hottest of all regions first, each into the tier where it was. Thread-safe.
 */
final class RegionWarmer {

  private static final Logger LOG = LoggerFactory.getLogger(RegionWarmer.class);

  /** Lists in memory have about so many blocks together; further regions wait. */
  private static final int MOST_BLOCKS = HeatList.MOST_BLOCKS;

  /** Reads under way at once: one after the other, those of an object store miss the rate. */
  private static final int THREADS = 8;

  /** A read of the store is paid as so many of a tier. */
  private static final int STORE_PRICE = 4;

  private static final long MOST_RECOVERY = TimeUnit.MINUTES.toNanos(1);

  /** A look at whether the tiers' recovery has ended. */
  private static final long RECOVERY_LOOK_MILLIS = 50;

  /** Failures in a file before the rest of it is left. A forged list costs no more. */
  private static final int MOST_FAILURES = 3;

  /** What became of the blocks of lists. */
  enum Fate {
    /** Read from the store, and cached. */
    WARMED("blocksWarmed"),
    /** Copied from a tier below to DRAM, which a restart had emptied. */
    PROMOTED("blocksPromoted"),
    /** Cached already. */
    CACHED("blocksCachedAlready"),
    /** Their file is gone: it was compacted. */
    GONE("blocksGone"),
    /** Not hit before, and their tier is full. */
    COLD("blocksNotWorthRoom"),
    /** The tiers, or a column family that is not to be cached, refused them. */
    REFUSED("blocksRefused"),
    /** Not read: there is no such block, or the store failed. */
    FAILED("blocksFailed"),
    /** Their region closed before they were read. */
    LEFT("blocksLeft");

    private final String figure;

    Fate(String figure) {
      this.figure = figure;
    }
  }

  private final TieredCache<?> tiers;

  private final int[] tiersHere;

  private final PutRouter puts;
  private final LongSupplier bytesPerSecond;
  private final RateLimitedLog log;
  private final Executor threads = DeviceThreads.onDemand("terrace-warm", THREADS);
  private final Map<Fate, AtomicLong> fates = new EnumMap<>(Fate.class);
  private final AtomicLong readBytes = new AtomicLong();
  private final AtomicLong unreadableLists = new AtomicLong();
  private final Memo<List<Integer>> tiersWithRoom;

  // Guarded by this, as is what regions have of the plan.
  private final Deque<Warming> waiting = new ArrayDeque<>();
  private final List<Warming> active = new ArrayList<>();
  private int running;
  private boolean ended;
  private final long sinceNanos = System.nanoTime();
  private long paidUntilNanos = sinceNanos;

  /** A region that is warmed. */
  private static final class Warming {

    final HRegion region;
    final long sinceNanos = System.nanoTime();
    final Map<Fate, Long> fates = new EnumMap<>(Fate.class);

    /** By file. */
    final Map<String, Integer> failures = new ConcurrentHashMap<>();

    final AtomicLong readBytes = new AtomicLong();

    /** Null until its list is read. */
    WarmPlan plan;

    Warming(HRegion region) {
      this.region = region;
    }

    String name() {
      return region.getRegionInfo().getEncodedName();
    }

    void count(Fate fate, long blocks) {
      fates.merge(fate, blocks, Long::sum);
    }

    boolean hasNext() {
      return plan != null && plan.hasNext();
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
   */
  RegionWarmer(
      TieredCache<?> tiers, PutRouter puts, LongSupplier bytesPerSecond, RateLimitedLog log) {
    this.tiers = tiers;
    this.tiersHere = Mark.numbers(tiers.tierNames());
    this.puts = puts;
    this.bytesPerSecond = bytesPerSecond;
    this.log = log;
    this.tiersWithRoom =
        new Memo<>(
            () -> IntStream.range(0, tiers.tierCount()).filter(tiers::hasRoom).boxed().toList(),
            System::nanoTime);
    for (Fate fate : Fate.values()) {
      fates.put(fate, new AtomicLong());
    }
  }

  /** A region is open. Does not wait. */
  synchronized void opened(HRegion region) {
    if (ended || bytesPerSecond.getAsLong() == 0) {
      return;
    }
    waiting.add(new Warming(region));
    startThreads();
  }

  private synchronized void startThreads() {
    for (; running < THREADS; running++) {
      threads.execute(this::run);
    }
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
    if (waiting.removeIf(each -> each.region.equals(region))) {
      return null;
    }
    Warming found = find(region);
    if (found == null) {
      return List.of();
    }
    active.remove(found);
    if (found.plan == null) {
      return null;
    }
    List<OfFile> rest = found.plan.rest();
    found.count(Fate.LEFT, rest.stream().mapToInt(OfFile::blocks).sum());
    tell(found);
    return rest;
  }

  private Warming find(HRegion region) {
    return active.stream().filter(each -> each.region.equals(region)).findFirst().orElse(null);
  }

  synchronized boolean isWarming(HRegion region) {
    return find(region) != null || waiting.stream().anyMatch(each -> each.region.equals(region));
  }

  /** Warms nothing from now on. */
  synchronized void end() {
    ended = true;
    waiting.clear();
    active.clear();
    notifyAll();
  }

  private void run() {
    byte[] buffer = null;
    for (Step next = next(); next != null; next = next()) {
      try {
        awaitRecovery();
        if (next.piece == null) {
          begin(next.warming);
        } else {
          buffer = buffer == null ? new byte[PieceReader.MOST_BYTES] : buffer;
          warm(next.warming, next.piece, buffer);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        end();
      } catch (RuntimeException | Error e) {
        log.warn("A region is not warmed: region=" + next.warming.name(), e);
        remove(next.warming);
      }
    }
  }

  /** A list that is to be read, or the hottest piece of all regions; null if there is none. */
  private synchronized Step next() {
    if (bytesPerSecond.getAsLong() == 0) {
      waiting.clear();
      active.clear();
    }
    int blocks = 0;
    Warming hottest = null;
    for (Warming each : active) {
      blocks += each.plan == null ? 0 : each.plan.blocks();
      if (each.hasNext() && (hottest == null || each.plan.rank() < hottest.plan.rank())) {
        hottest = each;
      }
    }
    if (blocks < MOST_BLOCKS && !waiting.isEmpty()) {
      Warming first = waiting.remove();
      active.add(first);
      return new Step(first, null);
    }
    if (hottest != null) {
      return new Step(hottest, hottest.plan.take());
    }
    running--;
    return null;
  }

  /** What a recovery is about to find must not be read from the store. */
  private synchronized void awaitRecovery() throws InterruptedException {
    // A device that is out of service does not end its recovery.
    while (!ended && !tiers.isRecovered() && System.nanoTime() - sinceNanos < MOST_RECOVERY) {
      wait(RECOVERY_LOOK_MILLIS);
    }
  }

  private synchronized boolean isActive(Warming warming) {
    return active.contains(warming);
  }

  private synchronized void remove(Warming warming) {
    active.remove(warming);
  }

  private void begin(Warming warming) {
    WarmPlan plan = WarmPlan.of(warming.region, this::unreadable);
    synchronized (this) {
      warming.plan = plan;
      warming.count(Fate.GONE, plan.gone());
      endIfDone(warming);
      startThreads();
    }
  }

  private void unreadable(Path list, IOException cause) {
    unreadableLists.incrementAndGet();
    log.warn("List of heat not read: path=" + list, cause);
  }

  private void warm(Warming warming, Piece piece, byte[] buffer) {
    Map<Fate, Long> counts = read(warming, piece, buffer);
    synchronized (this) {
      // What closed meanwhile has counted this piece as left.
      if (active.contains(warming)) {
        counts.forEach(warming::count);
        warming.plan.done(piece);
        endIfDone(warming);
      }
    }
  }

  private void endIfDone(Warming warming) {
    if (warming.plan.isDone() && active.remove(warming)) {
      tell(warming);
    }
  }

  private Map<Fate, Long> read(Warming warming, Piece piece, byte[] buffer) {
    Map<Fate, Long> counts = new EnumMap<>(Fate.class);
    OfFile file = piece.file();
    int[] wanted = new int[piece.to() - piece.from()];
    int count = 0;
    long promotedBytes = 0;
    for (int block = piece.from(); block < piece.to(); block++) {
      Fate fate = fateWithoutRead(file, block);
      if (fate == null) {
        wanted[count++] = block;
      } else {
        counts.merge(fate, 1L, Long::sum);
        promotedBytes += fate == Fate.PROMOTED ? file.sizes()[block] : 0;
      }
    }
    pay(warming, promotedBytes / STORE_PRICE);
    for (int first = 0; first < count; ) {
      int end = first + 1;
      while (end < count && WarmPlan.areNeighbours(file, wanted[end - 1], wanted[end])) {
        end++;
      }
      PieceReader reader = reader(warming, file, buffer);
      if (reader == null) {
        counts.merge(Fate.GONE, (long) end - first, Long::sum);
      } else {
        read(reader, warming, file, Arrays.copyOfRange(wanted, first, end), counts);
      }
      first = end;
    }
    return counts;
  }

  /** What becomes of a block without a read of the store; null if it is to be read. */
  private Fate fateWithoutRead(OfFile file, int block) {
    byte mark = file.marks()[block];
    int tier = tiers.tierOf(file.file(), file.offsets()[block]);
    if (tier >= 0) {
      return tier > tier(mark) && tier(mark) == 0 && promote(file, block)
          ? Fate.PROMOTED
          : Fate.CACHED;
    }
    boolean isCold = Mark.hits(mark) == 0 && !Mark.isProtected(mark);
    return isCold && !tiersWithRoom.get().contains(tier(mark)) ? Fate.COLD : null;
  }

  private boolean promote(OfFile file, int block) {
    long offset = file.offsets()[block];
    boolean isPromoted = tiers.promote(file.file(), offset);
    if (isPromoted) {
      tiers.touch(file.file(), offset, Mark.hits(file.marks()[block]));
    }
    return isPromoted;
  }

  private int tier(byte mark) {
    return Mark.tierHere(mark, tiersHere);
  }

  /** Null if the file is not to be read any more. */
  private PieceReader reader(Warming warming, OfFile file, byte[] buffer) {
    try {
      return warming.plan.open(file).isCompactedAway()
          ? null
          : PieceReader.of(warming.plan.open(file), buffer);
    } catch (IOException e) {
      log.warn("Not warmed: region=" + warming.name() + " file=" + file.file(), e);
      return null;
    }
  }

  private void read(
      PieceReader reader, Warming warming, OfFile file, int[] blocks, Map<Fate, Long> counts) {
    if (warming.failures.getOrDefault(file.file(), 0) >= MOST_FAILURES) {
      counts.merge(Fate.FAILED, (long) blocks.length, Long::sum);
      return;
    }
    int last = blocks[blocks.length - 1];
    int done = 0;
    try {
      long next = last + 1 < file.blocks() ? file.offsets()[last + 1] : HeatList.END_OF_OFFSETS;
      reader.fetch(file.offsets()[blocks[0]], file.offsets()[last], file.sizes()[last], next);
      for (; done < blocks.length && isActive(warming); done++) {
        counts.merge(read(reader, file, blocks[done]), 1L, Long::sum);
      }
    } catch (IOException e) {
      counts.merge(Fate.FAILED, (long) blocks.length - done, Long::sum);
      warming.failures.merge(file.file(), 1, Integer::sum);
      if (isActive(warming)) {
        log.warn("Not warmed: region=" + warming.name() + " file=" + file.file(), e);
      }
    }
    warming.readBytes.addAndGet(reader.readBytes());
    readBytes.addAndGet(reader.readBytes());
    pay(warming, reader.readBytes());
  }

  private Fate read(PieceReader reader, OfFile file, int block) throws IOException {
    byte mark = file.marks()[block];
    long offset = file.offsets()[block];
    if (reader.isLoaded(offset)) {
      return Fate.CACHED;
    }
    PutOutcome outcome = puts.readInto(tier(mark), () -> reader.read(offset));
    if (outcome == PutOutcome.STORED) {
      tiers.touch(file.file(), offset, Mark.hits(mark));
      return Fate.WARMED;
    }
    if (outcome == PutOutcome.ALREADY_PRESENT) {
      return Fate.CACHED;
    }
    return Fate.REFUSED;
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
      while (active.contains(warming)) {
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
    if (warming.fates.values().stream().allMatch(blocks -> blocks == 0)) {
      return;
    }
    StringBuilder line = new StringBuilder();
    warming.fates.forEach(
        (fate, blocks) -> {
          if (blocks > 0) {
            line.append(' ')
                .append(fate.name().toLowerCase(Locale.ROOT))
                .append('=')
                .append(blocks);
          }
        });
    LOG.info(
        "Warmed region={} table={}{} readBytes={} ms={}",
        warming.name(),
        warming.region.getRegionInfo().getTable(),
        line,
        warming.readBytes.get(),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - warming.sinceNanos));
  }

  /** What became of all regions since the start. */
  void addTo(Map<String, Long> figures) {
    fates.forEach((fate, blocks) -> figures.put(fate.figure, blocks.get()));
    figures.put("bytesReadToWarm", readBytes.get());
    figures.put("listsNotRead", unreadableLists.get());
    synchronized (this) {
      figures.put("regionsToWarm", (long) waiting.size() + active.size());
    }
  }
}
