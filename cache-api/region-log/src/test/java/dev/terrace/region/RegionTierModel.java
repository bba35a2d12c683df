// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.FileUsage;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TestFiles;
import dev.terrace.api.TierStats;
import dev.terrace.region.format.RecordLayout;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What a tier must hold, from its opening to its end: told of everything that is done to the tier,
 * it checks after each step that the tier agrees. Used by one thread, in which the tier's workers
 * run, too.
 */
final class RegionTierModel {

  private static final BlockTraits[] TRAITS = {
    new BlockTraits(2, BlockTraits.Residency.ORDINARY),
    new BlockTraits(7, BlockTraits.Residency.PROTECTED)
  };

  /** A block's format is its size modulo this; blocks of format 0 are durable. */
  static final int FORMATS = 10;

  private final RegionTier<CountedBlock> tier;
  private final int files;
  private final int offsets;

  /** What must be found once recovery is over, but for what made room. */
  private final Set<BlockKey> expected;

  /** What was ever put to these disks: nothing else may be found. */
  private final Set<BlockKey> everPut;

  /** What is found, as far as we know. */
  private final Set<BlockKey> present = new HashSet<>();

  /** What was evicted in this life, or in an earlier one for good, and not put since. */
  private final Set<BlockKey> gone = new HashSet<>();

  /** What of it is gone for good. */
  private final Set<BlockKey> goneForGood = new HashSet<>();

  /** What was so when this life began. */
  private final Set<BlockKey> goneBefore = new HashSet<>();

  private boolean recovered;
  private boolean faulty;
  private boolean damaged;
  private long recoveredBlocks;
  private long lostBefore;

  RegionTierModel(
      RegionTier<CountedBlock> tier,
      int files,
      int offsets,
      Set<BlockKey> everPut,
      Set<BlockKey> expected,
      Set<BlockKey> goneForGood) {
    this.tier = tier;
    this.files = files;
    this.offsets = offsets;
    this.everPut = everPut;
    this.expected = expected;
    this.goneForGood.addAll(goneForGood);
    this.goneBefore.addAll(goneForGood);
    this.gone.addAll(goneForGood);
  }

  /** Says that blocks may be lost from now on, because a device fails. */
  void mayLose() {
    faulty = true;
  }

  /**
   * Says that records were torn by a power cut: they may turn out to be damaged when they are read.
   */
  void mayBeDamaged() {
    damaged = true;
  }

  boolean isFaulty() {
    return faulty;
  }

  /** What is found now, and means the same to the next process. */
  Set<BlockKey> durable() {
    Set<BlockKey> durable = new HashSet<>();
    for (BlockKey key : present) {
      if (tier.info(key.file(), key.offset()).orElseThrow().sizeBytes() % FORMATS == 0) {
        durable.add(key);
      }
    }
    return durable;
  }

  /**
   * What no later process may find, unless it is put again. After a crash, what was gone before:
   * the last second's evictions may be lost.
   */
  Set<BlockKey> goneForGood(boolean isClean) {
    return Set.copyOf(isClean ? goneForGood : goneBefore);
  }

  BlockKey randomKey(SplittableRandom random) {
    return new BlockKey(
        TestFiles.file(file(random.nextInt(files))), offset(random.nextInt(offsets)));
  }

  private static String file(int number) {
    return "file-" + number + (number % 2 == 0 ? "" : "\u00e4\u6f22");
  }

  private static long offset(int number) {
    return number * 65_536L;
  }

  void put(BlockKey key, int sizeBytes, SplittableRandom random) {
    boolean there = tier.contains(key.file(), key.offset());
    CountedBlock block = CountedBlock.of(key.file().name(), key.offset(), sizeBytes);
    PutOutcome outcome =
        tier.put(key.file(), key.offset(), block, TRAITS[random.nextInt(TRAITS.length)], 0);
    assertThat(block.references()).isEqualTo(1);
    block.release();
    if (there) {
      assertThat(outcome).isEqualTo(PutOutcome.ALREADY_PRESENT);
    } else if (outcome == PutOutcome.STORED) {
      everPut.add(key);
      present.add(key);
      gone.remove(key);
      goneForGood.remove(key);
      goneBefore.remove(key);
    } else {
      assertThat(outcome).isIn(PutOutcome.BUSY, PutOutcome.UNAVAILABLE);
    }
  }

  /** Looks a block up, and checks it. The caller releases what it gets. */
  CountedBlock get(BlockKey key, Access access) {
    boolean there = tier.contains(key.file(), key.offset());
    long damagedBefore = damaged();
    CountedBlock block = tier.get(key.file(), key.offset(), access);
    if (block == null) {
      assertThat(there && !faulty && damagedBefore == damaged())
          .as("%s is resident and not served", key)
          .isFalse();
      return null;
    }
    assertThat(there).as("%s is served and was not resident", key).isTrue();
    assertMayBeThere(key);
    Payloads.check(key.file().name(), key.offset(), block);
    return block;
  }

  private long damaged() {
    Map<EvictionCause, Long> evictions = tier.stats().events().evictions();
    return evictions.getOrDefault(EvictionCause.CORRUPTION, 0L)
        + evictions.getOrDefault(EvictionCause.WRITE_FAILED, 0L);
  }

  void evict(BlockKey key) {
    boolean there = tier.contains(key.file(), key.offset());
    assertThat(tier.evict(key.file(), key.offset(), key.offset()) > 0).isEqualTo(there);
    left(key);
    if (there || !tier.isRecovered()) {
      goneForGood.add(key);
    }
  }

  void evictFile(String file) {
    int there = tier.usage(TestFiles.file(file)).blocks();
    assertThat(tier.evict(TestFiles.file(file), Long.MIN_VALUE, Long.MAX_VALUE)).isEqualTo(there);
    evicted(file, 0, Long.MAX_VALUE);
  }

  void evictRange(String file, long from, long to) {
    tier.evict(TestFiles.file(file), from, to);
    evicted(file, from, to);
    if (from < to) {
      goneForGood.addAll(keys(file, from, to));
    }
  }

  private void evicted(String file, long from, long to) {
    keys(file, from, to).forEach(this::left);
  }

  private Set<BlockKey> keys(String file, long from, long to) {
    Set<BlockKey> keys = new HashSet<>();
    for (int i = 0; i < offsets; i++) {
      if (offset(i) >= from && offset(i) <= to) {
        keys.add(new BlockKey(TestFiles.file(file), offset(i)));
      }
    }
    return keys;
  }

  private void left(BlockKey key) {
    present.remove(key);
    gone.add(key);
  }

  /** Checks everything that holds between two steps. */
  void check() {
    if (!recovered && tier.isRecovered()) {
      recovered();
    }
    TierStats stats = tier.stats();
    long lost = lost(stats);
    long missing = 0;
    for (int file = 0; file < files; file++) {
      for (int i = 0; i < offsets; i++) {
        BlockKey key = new BlockKey(TestFiles.file(file(file)), offset(i));
        boolean there = tier.contains(key.file(), key.offset());
        if (there) {
          assertMayBeThere(key);
          if (recovered && !present.contains(key)) {
            throw new AssertionError(key + " came from nowhere");
          }
        } else if (present.remove(key)) {
          missing++;
        }
      }
    }
    if (recovered) {
      assertThat(missing).as("blocks that left, and no count says so").isEqualTo(lost - lostBefore);
      assertThat(recoveredBlocks + stats.writes().puts() - evictions(stats))
          .isEqualTo(stats.space().blocks());
    }
    lostBefore = lost;
    if (!faulty && !damaged) {
      assertThat(damaged()).as("blocks damaged, though nothing fails").isZero();
    }
    checkBooks(stats);
  }

  /** Without AssertJ, which would search the sets block by block, for each block in each step. */
  private void assertMayBeThere(BlockKey key) {
    if (!everPut.contains(key)) {
      throw new AssertionError(key + " was never put");
    }
    if (gone.contains(key)) {
      throw new AssertionError(key + " was evicted");
    }
  }

  /** From now on nothing comes from the devices any more. */
  private void recovered() {
    recovered = true;
    TierStats stats = tier.stats();
    Set<BlockKey> found = new HashSet<>();
    tier.blocks().forEachRemaining(info -> found.add(info.key()));
    long absent =
        expected.stream().filter(key -> !found.contains(key) && !gone.contains(key)).count();
    if (!faulty) {
      assertThat(absent).as("blocks that did not come back").isLessThanOrEqualTo(lost(stats));
    }
    present.clear();
    present.addAll(found);
    lostBefore = lost(stats);
    recoveredBlocks = stats.space().blocks() - stats.writes().puts() + evictions(stats);
    assertThat(recoveredBlocks).isNotNegative();
  }

  private static long lost(TierStats stats) {
    Map<EvictionCause, Long> evictions = stats.events().evictions();
    return evictions.getOrDefault(EvictionCause.SIZE, 0L)
        + evictions.getOrDefault(EvictionCause.RESIZE, 0L)
        + evictions.getOrDefault(EvictionCause.CORRUPTION, 0L)
        + evictions.getOrDefault(EvictionCause.WRITE_FAILED, 0L);
  }

  private static long evictions(TierStats stats) {
    return stats.events().evictions().values().stream().mapToLong(Long::longValue).sum();
  }

  private void checkBooks(TierStats stats) {
    long blocks = 0;
    long payloadBytes = 0;
    long recordBytes = 0;
    for (Iterator<BlockInfo> all = tier.blocks(); all.hasNext(); ) {
      BlockInfo info = all.next();
      blocks++;
      payloadBytes += info.sizeBytes();
      recordBytes +=
          RecordLayout.recordBytes(
              RecordLayout.utf8Bytes(info.key().file().name()), info.sizeBytes());
    }
    assertThat(stats.space().blocks()).isEqualTo(blocks);
    assertThat(stats.space().payloadBytes()).isEqualTo(payloadBytes);
    assertThat(stats.space().usedBytes()).as("live bytes of all regions").isEqualTo(recordBytes);
    assertThat(stats.space().usedBytes()).isLessThanOrEqualTo(stats.space().capacityBytes());
    assertThat(stats.leases().bytes()).isNotNegative();
    long usageBlocks = 0;
    for (Iterator<FileUsage> all = tier.files(); all.hasNext(); ) {
      usageBlocks += all.next().blocks();
    }
    assertThat(usageBlocks).isEqualTo(blocks);
  }
}
