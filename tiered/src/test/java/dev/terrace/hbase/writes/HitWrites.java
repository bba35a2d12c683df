// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.writes.WriteLog.Reader;
import dev.terrace.hbase.writes.WriteLog.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * Hits blocks in each kind of tier, from two threads one after the other, and checks what they
 * wrote. Runs with {@link WriteAgent}.
 */
final class HitWrites {

  /** A field that fewer hits write is not looked at: what comes once in a while. */
  private static final double OFTEN = 0.2;

  /** A place of both threads that more of the hits write is one that all share. */
  private static final double MANY = 0.5;

  private static final int FILES = 12;
  private static final int WARM_ROUNDS = 4;
  private static final int COUNTED_ROUNDS = 2;

  /** Of more blocks the hits of these alone are looked at. */
  private static final int MAX_BLOCKS = 300;

  /** Each has a cell for few threads, once threads meet. */
  private static final String[] ADDERS_OF_DRAM = {"SharedObjects.count"};

  private static final String[] ADDERS_OF_READS = {
    "ReadCopies.bytes",
    "DeviceReads$IoTimes.count",
    "DeviceReads$IoTimes.nanos",
    "ReaderBound.answers",
    "ReaderBound.answerNanos"
  };

  /** As these are: of misses in DRAM and of moves, and of the entries of a concurrent map. */
  private static final String[] ADDERS_OF_MOVES = {
    "TierCounters.misses", "LongAdder", "InFlightCopies.copies"
  };

  /** Once in a millisecond. */
  private static final String[] PROGRESS = {
    "StallClock$Progress.lastNanos", "StallClock.seenNanos"
  };

  /** The JDK's: a lock that the close of the channel takes, and which threads are inside. */
  private static final String CHANNEL = "UninterruptibleFile.channels";

  private final String kind;
  private final String[] settings;
  private final int blocks;
  private final int blockBytes;
  private final Set<String> often = new TreeSet<>();
  private final Set<String> shared = new TreeSet<>();
  private final Set<String> now = new TreeSet<>();
  private boolean onlyShared;

  private HitWrites(String kind, int blocks, int blockBytes, String... settings) {
    this.kind = kind;
    this.blocks = blocks;
    this.blockBytes = blockBytes;
    this.settings = settings;
  }

  /** Fields that hits write, each to places that few hits share. */
  private HitWrites writes(String... fields) {
    often.addAll(List.of(fields));
    return this;
  }

  /** Fields that hits of different blocks and threads write, to the same place. */
  private HitWrites shares(String... fields) {
    often.addAll(List.of(fields));
    shared.addAll(List.of(fields));
    return this;
  }

  /** Fields that some hits write, more or fewer by chance or time. */
  private HitWrites writesNowAndThen(String... fields) {
    now.addAll(List.of(fields));
    return this;
  }

  /** Of the much that hits write, only what all share is looked at. */
  private HitWrites onlyShared() {
    onlyShared = true;
    return this;
  }

  /** Ends with an error if a hit writes anything else. */
  public static void main(String[] args) throws Exception {
    List<String> wrong = new ArrayList<>();
    for (HitWrites kind : kinds(Path.of(args[0]), Path.of(args[1]))) {
      wrong.addAll(kind.check());
    }
    assertThat(wrong).isEmpty();
    System.exit(0);
  }

  /** On a disk, and in memory. */
  private static List<HitWrites> kinds(Path disk, Path memory) {
    return List.of(
        new HitWrites("DRAM", 100, 16 << 10)
            .writes("StripedRefCount.central", "HitRecorder.cells")
            .writesNowAndThen("HitSample.rings"),
        new HitWrites("DRAM, object made anew", 400, 2 << 10, "hbase.terrace.dram.size", "2m")
            .writes("StripedRefCount.central", "HitRecorder.cells")
            // The entry and its file's table, and those of the entry whose place it takes.
            .writes("DramEntry's monitor", "DramEntry.block", "DramEntry.holders")
            .writes("DramEntry.beforeRelease", "EntryTable's monitor", "EntrySlots.places")
            .writes("SharedObjects.slots")
            .shares(ADDERS_OF_DRAM)
            .writesNowAndThen("HitSample.rings"),
        new HitWrites("PMem, shared object", 100, 64 << 10, below("0", "pmem", memory))
            .writes("StripedRefCount.central", "HitRecorder.cells"),
        new HitWrites("PMem, object made anew", 14_000, 1 << 10, below("0", "pmem", memory))
            .writes("RegionPins.pins", "HitRecorder.cells")
            // Its place, and the object that had it.
            .writes("SharedBlocks.slots")
            .writesNowAndThen("StripedRefCount.central", "SharedBlocks$Shared.state"),
        new HitWrites("SSD", 100, 64 << 10, below("0", "ssd", disk))
            .writes("HitRecorder.cells", "Netty's pool")
            .writes("ReadPermits.stripes")
            .writes("BufferQuarantine$Stripe's monitor", "BufferQuarantine$Stripe.waiting")
            .writes("BufferQuarantine$Stripe.waitingBytes")
            .shares(ADDERS_OF_READS)
            .writes(CHANNEL)
            .writesNowAndThen(PROGRESS),
        // So many blocks that few are in the sample of the trial of rules.
        new HitWrites("SSD below DRAM", 20_000, 2 << 10, below("1m", "ssd", disk))
            .onlyShared()
            .shares(ADDERS_OF_READS)
            .shares(ADDERS_OF_MOVES)
            .writesNowAndThen(PROGRESS));
  }

  /** A tier with a path of its own. */
  private static String[] below(String dramSize, String tier, Path folder) {
    return new String[] {
      "hbase.terrace.dram.size",
      dramSize,
      "hbase.terrace." + tier + ".paths",
      folder.resolve(UUID.randomUUID().toString()).toString(),
      "hbase.terrace." + tier + ".size",
      tier.equals("ssd") ? "48m" : "24m"
    };
  }

  private List<String> check() throws InterruptedException {
    TieredBlockCache cache = OpenCaches.make(OpenCaches.conf(settings));
    List<BlockCacheKey> keys = fill(cache);
    List<Reader> readers = new ArrayList<>();
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 2; i++) {
      readers.add(read(cache, keys, i, end));
    }
    end.countDown();
    for (Reader reader : readers) {
      reader.join();
    }
    List<Row> rows = WriteLog.rows(readers);
    print(rows, keys.size());
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
    List<String> wrong = new ArrayList<>();
    if (!onlyShared) {
      compare("writes", often, fields(rows, false), wrong);
    }
    compare("shares", shared, fields(rows, true), wrong);
    return wrong;
  }

  /**
   * Starts a reader, and waits for its last hit. It lives on, so that what belonged to it belongs
   * to no later one. No two have the same stripes, which follow from ids.
   */
  private static Reader read(
      TieredBlockCache cache, List<BlockCacheKey> keys, int number, CountDownLatch end) {
    CountDownLatch done = new CountDownLatch(1);
    Runnable hits =
        () -> {
          try {
            hitAll(cache, keys, new Random(number));
          } finally {
            done.countDown();
          }
          awaitEnd(end);
        };
    Reader reader = new Reader(hits);
    while (reader.getId() % 2 != number) {
      reader = new Reader(hits);
    }
    reader.start();
    awaitEnd(done);
    return reader;
  }

  private static void awaitEnd(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the keys of the blocks that the cache has then. */
  private List<BlockCacheKey> fill(TieredBlockCache cache) {
    List<BlockCacheKey> keys = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      BlockCacheKey key = TestBlocks.key("file" + i % FILES, i);
      // As a prefetch does: it waits for room.
      cache.cacheBlock(key, TestBlocks.data("file", i, blockBytes), false, true);
      keys.add(key);
    }
    cache.sealOpen();
    await().until(cache::isSealed);
    keys.removeIf(key -> !cache.isAlreadyCached(key).orElseThrow());
    Collections.shuffle(keys, new Random(0));
    return keys;
  }

  /** Between two hits of a block come those of all others. */
  private static void hitAll(TieredBlockCache cache, List<BlockCacheKey> keys, Random random) {
    List<BlockCacheKey> some = new ArrayList<>(keys.subList(0, Math.min(keys.size(), MAX_BLOCKS)));
    List<BlockCacheKey> others = keys.subList(some.size(), keys.size());
    for (int round = 0; round < WARM_ROUNDS + COUNTED_ROUNDS; round++) {
      others.forEach(key -> hit(cache, key));
      Collections.shuffle(some, random);
      for (BlockCacheKey key : some) {
        Reader.begin(round >= WARM_ROUNDS);
        hit(cache, key);
        Reader.end();
      }
    }
  }

  /** What a busy disk does not read in time is a miss. */
  private static void hit(TieredBlockCache cache, BlockCacheKey key) {
    Cacheable block = cache.getBlock(key, true, false, true);
    if (block != null) {
      block.release();
    }
  }

  private void print(List<Row> rows, int count) {
    System.out.printf("%n%s: %d blocks%n", kind, count);
    System.out.printf("%9s %7s %7s  %s%n", "writes", "places", "most", "field");
    for (Row row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%9.3f %7d %6.1f%% %s%s%n",
          row.writes(),
          row.places(),
          100 * row.most(),
          row.field(),
          row.isShared() ? "" : ", a thread's own");
    }
  }

  private Set<String> fields(List<Row> rows, boolean isShared) {
    return rows.stream()
        .filter(row -> row.writes() >= OFTEN)
        .filter(row -> !isShared || (row.isShared() && row.most() > MANY))
        .map(Row::field)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void compare(String verb, Set<String> expected, Set<String> found, List<String> wrong) {
    found.stream()
        .filter(field -> !expected.contains(field) && !now.contains(field))
        .forEach(field -> wrong.add(kind + ": a hit " + verb + " " + field));
    expected.stream()
        .filter(field -> !found.contains(field))
        .forEach(field -> wrong.add(kind + ": no hit " + verb + " " + field));
  }
}
