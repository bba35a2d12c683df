// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every tier must do. The test of a tier extends this class and says how to make one; each
 * test ends with the tier closed, all memory given back, and no reference released once too often.
 */
public abstract class TierContractTest {

  protected static final BlockTraits ORDINARY = new BlockTraits(3, BlockTraits.Residency.ORDINARY);
  protected static final BlockTraits PROTECTED =
      new BlockTraits(5, BlockTraits.Residency.PROTECTED);

  protected final LeaseLedger ledger = LeaseLedger.tracking();
  protected final CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
  private final List<CountedBlock> leases = new ArrayList<>();
  protected Tier<CountedBlock> tier;

  /** A tier that admits every block while it has room. */
  protected abstract Tier<CountedBlock> newTier(CountedBlockCodec codec, long capacityBytes);

  /** The capacity of the tier under test: room for 64 blocks of {@link #blockBytes}, and more. */
  protected abstract long capacityBytes();

  /** The largest block that the tier takes. */
  protected abstract int largestBlockBytes();

  /** Whether readers of a block get the same instance of it. */
  protected boolean sharesInstances() {
    return true;
  }

  /** What the tier stores of a block with the payload of its key. */
  protected int storedBytes(String file, long offset, int sizeBytes) {
    return sizeBytes;
  }

  /** The offsets that the tier can address, from the least to the greatest. */
  protected long[] extremeOffsets() {
    return new long[] {
      Long.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE, 1L << 32, 1L << 44, Long.MAX_VALUE
    };
  }

  /** Whether a closed tier, all of whose blocks were released, holds no memory any more. */
  protected abstract boolean hasReturnedMemory(Tier<CountedBlock> closed);

  /** The size of a block of which many fit. */
  protected final int blockBytes() {
    return (int) (capacityBytes() / 70);
  }

  @BeforeEach
  final void makeTier() {
    tier = newTier(codec, capacityBytes());
  }

  @AfterEach
  final void nothingIsLeft() {
    leases.forEach(CountedBlock::release);
    tier.close();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
    assertThat(hasReturnedMemory(tier)).as("memory was given back").isTrue();
    assertThat(tier.stats().leases().bytes()).isZero();
    assertThat(tier.stats().space().usedBytes()).isZero();
  }

  protected final PutOutcome put(String file, long offset, int sizeBytes) {
    return put(file, offset, sizeBytes, ORDINARY);
  }

  protected final PutOutcome put(String file, long offset, int sizeBytes, BlockTraits traits) {
    CountedBlock block = CountedBlock.of(file, offset, sizeBytes);
    PutOutcome outcome = tier.put(file(file), offset, block, traits, 0);
    assertThat(block.references()).as("references of the caller's block").isEqualTo(1);
    block.release();
    return outcome;
  }

  private PutOutcome promote(String file, long offset, int sizeBytes) {
    CountedBlock block = CountedBlock.of(file, offset, sizeBytes);
    PutOutcome outcome = tier.promote(file(file), offset, block, ORDINARY);
    assertThat(block.references()).isEqualTo(1);
    block.release();
    return outcome;
  }

  @Test
  void aLookupWhoseSampleCannotBePassedOnKeepsNoLease() {
    tier.sampleHitsTo(
        file -> {
          throw new IllegalStateException("as asked");
        });
    int failed = 0;
    for (int lookup = 0; lookup < 8_000; lookup++) {
      int offset = lookup / 100;
      if (lookup % 100 == 0) {
        tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE);
        put("file", offset, Math.min(blockBytes(), 4_000));
      }
      try {
        read("file", offset, Access.CACHING);
      } catch (IllegalStateException e) {
        failed++;
      }
    }
    assertThat(failed).isPositive();
  }

  private PutOutcome putFaulty(CountedBlockCodec.Fault fault) {
    CountedBlock block = CountedBlock.faulty("faulty", 0, blockBytes(), fault);
    PutOutcome outcome = tier.put(file("faulty"), 0, block, ORDINARY, 0);
    assertThat(block.references()).isEqualTo(1);
    block.release();
    return outcome;
  }

  /** Reads and checks a block, and releases it. */
  protected final boolean read(String file, long offset) {
    return read(file, offset, Access.UNCOUNTED);
  }

  protected final boolean read(String file, long offset, Access access) {
    CountedBlock block = tier.get(file(file), offset, access);
    if (block == null) {
      return false;
    }
    Payloads.check(file, offset, block);
    block.release();
    return true;
  }

  /** Reads a block and holds it to the end of the test. */
  protected final CountedBlock lease(String file, long offset) {
    CountedBlock block = tier.get(file(file), offset, Access.UNCOUNTED);
    assertThat(block).isNotNull();
    leases.add(block);
    return block;
  }

  protected final void releaseLeases() {
    leases.forEach(CountedBlock::release);
    leases.clear();
  }

  protected static <T> List<T> listOf(Iterator<T> iterator) {
    List<T> list = new ArrayList<>();
    iterator.forEachRemaining(list::add);
    return list;
  }

  private static long sum(Map<?, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Checks what holds while nobody changes the tier. */
  protected final void assertBooksBalance() {
    TierStats stats = tier.stats();
    List<BlockInfo> blocks = listOf(tier.blocks());
    List<FileUsage> files = listOf(tier.files());
    long payload = blocks.stream().mapToLong(BlockInfo::sizeBytes).sum();
    assertThat(stats.space().blocks()).isEqualTo(blocks.size());
    assertThat(stats.space().payloadBytes()).isEqualTo(payload);
    assertThat(files.stream().mapToLong(FileUsage::blocks).sum()).isEqualTo(blocks.size());
    assertThat(files.stream().mapToLong(FileUsage::payloadBytes).sum()).isEqualTo(payload);
    assertThat(stats.writes().puts() - sum(stats.events().evictions()))
        .as("stored blocks that did not leave")
        .isEqualTo(stats.space().blocks());
    assertThat(stats.space().usedBytes()).isBetween(payload, stats.space().capacityBytes());
  }

  private void assertNothingNegative(TierStats stats) {
    assertThat(
            List.of(
                stats.space().usedBytes(),
                stats.space().payloadBytes(),
                stats.leases().bytes(),
                stats.leases().longestWaitNanos(),
                stats.space().heapBytes(),
                stats.space().blocks(),
                stats.reads().misses(),
                stats.writes().puts(),
                stats.writes().putBytes(),
                stats.reads().hits().counted()))
        .allSatisfy(value -> assertThat(value).as(stats.toString()).isNotNegative());
    assertThat(stats.space().usedBytes()).isLessThanOrEqualTo(stats.space().capacityBytes());
  }

  @Test
  void getReturnsTheBytesThatWerePut() {
    int[] sizes = {1, 7, 31, 511, 512, 513, 4095, 4096, 4133, blockBytes(), largestBlockBytes()};
    for (int size : sizes) {
      assertThat(put("sizes", size, size)).isEqualTo(PutOutcome.STORED);
      assertThat(read("sizes", size)).isTrue();
    }
    for (int size : sizes) {
      assertThat(tier.get(file("sizes"), size + (1L << 40), Access.CACHING)).isNull();
      assertThat(tier.get(file("other"), size, Access.CACHING)).isNull();
      assertThat(read("sizes", size)).isTrue();
    }
    assertBooksBalance();
  }

  @Test
  void offsetsMayBeAnyNumberInTheTiersRange() {
    long[] offsets = extremeOffsets();
    for (long offset : offsets) {
      assertThat(put("file", offset, 100)).isEqualTo(PutOutcome.STORED);
      assertThat(put("file", offset, 100)).isEqualTo(PutOutcome.ALREADY_PRESENT);
    }
    for (long offset : offsets) {
      assertThat(read("file", offset)).as("offset %d", offset).isTrue();
    }
    assertThat(tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE)).isEqualTo(offsets.length);
    assertBooksBalance();
  }

  @Test
  void readersShareOneInstance() {
    put("file", 0, 1000);
    CountedBlock first = lease("file", 0);
    CountedBlock second = lease("file", 0);
    if (sharesInstances()) {
      assertThat(second).isSameAs(first);
      assertThat(second.references()).isGreaterThanOrEqualTo(2);
    }
    releaseLeases();
    assertThat(read("file", 0)).isTrue();
    assertThat(first.sizeBytes()).isEqualTo(1000);
  }

  @Test
  void infoTellsWhatWasPut() {
    long before = System.nanoTime();
    put("file", 4096, 1234, PROTECTED);
    BlockInfo info = tier.info(file("file"), 4096).orElseThrow();
    assertThat(info.key()).isEqualTo(new BlockKey(file("file"), 4096));
    assertThat(info.sizeBytes()).isEqualTo(storedBytes("file", 4096, 1234));
    assertThat(info.traits()).isEqualTo(PROTECTED);
    assertThat(info.putNanos() - before).isBetween(0L, System.nanoTime() - before);
    assertThat(listOf(tier.blocks())).containsExactly(info);
    assertThat(tier.contains(file("file"), 4096)).isTrue();
    assertThat(tier.contains(file("file"), 0)).isFalse();
    assertThat(tier.info(file("file"), 0)).isEmpty();
    assertThat(tier.info(file("other"), 4096)).isEqualTo(Optional.empty());
  }

  @Test
  void headHasTheFirstBytesAndIsNoLookup() {
    int[] sizes = {33, 511, 4096, 4133, blockBytes(), largestBlockBytes()};
    for (int size : sizes) {
      put("file", size, size);
      ByteBuffer target = ByteBuffer.allocate(64).position(7).limit(7 + 33);
      assertThat(tier.head(file("file"), size, target)).isTrue();
      assertThat(target.position()).isEqualTo(7);
      byte[] head = new byte[33];
      target.get(head);
      assertThat(head).isEqualTo(Arrays.copyOf(Payloads.of("file", size, size), 33));
    }
    assertThat(tier.head(file("file"), 33, ByteBuffer.allocate(34)))
        .as("more than there is")
        .isFalse();
    assertThat(tier.head(file("file"), 1, ByteBuffer.allocate(1))).as("no such block").isFalse();
    assertThat(tier.head(file("other"), 33, ByteBuffer.allocate(1))).isFalse();
    assertThat(tier.stats().reads().hits().counted()).isZero();
    assertThat(tier.stats().reads().misses()).isZero();
    tier.evict(file("file"), 33, 33);
    assertThat(tier.head(file("file"), 33, ByteBuffer.allocate(1))).as("evicted").isFalse();
    tier.close();
    assertThat(tier.head(file("file"), 511, ByteBuffer.allocate(1))).as("closed").isFalse();
  }

  @Test
  void secondPutOfAKeyKeepsTheFirstBlock() {
    assertThat(put("file", 0, 1000)).isEqualTo(PutOutcome.STORED);
    assertThat(put("file", 0, 2000)).isEqualTo(PutOutcome.ALREADY_PRESENT);
    assertThat(lease("file", 0).sizeBytes()).isEqualTo(1000);
    TierStats stats = tier.stats();
    assertThat(stats.writes().puts()).isEqualTo(1);
    assertThat(stats.writes().putBytes()).isEqualTo(storedBytes("file", 0, 1000));
    assertThat(stats.writes().putPlainBytes()).isEqualTo(1000);
    assertThat(stats.events().refusals()).isEmpty();
    assertBooksBalance();
  }

  @Test
  void keyCanBePutAgainAfterItsEviction() {
    for (int round = 1; round <= 200; round++) {
      assertThat(put("file", 0, round)).isEqualTo(PutOutcome.STORED);
      assertThat(tier.info(file("file"), 0).orElseThrow().sizeBytes())
          .isEqualTo(storedBytes("file", 0, round));
      assertThat(read("file", 0)).isTrue();
      assertThat(tier.evict(file("file"), 0, 0)).isOne();
      assertThat(tier.contains(file("file"), 0)).isFalse();
    }
    assertBooksBalance();
  }

  @Test
  void sizesThatNoTierTakesAreRefused() {
    assertThat(put("file", 0, 0)).isEqualTo(PutOutcome.BAD_SIZE);
    assertThat(put("file", 0, (int) capacityBytes() + 1)).isEqualTo(PutOutcome.BAD_SIZE);
    assertThat(put("file", 0, largestBlockBytes() + 1)).isEqualTo(PutOutcome.BAD_SIZE);
    assertThat(putFaulty(CountedBlockCodec.Fault.NEGATIVE_SIZE)).isEqualTo(PutOutcome.BAD_SIZE);
    assertThat(tier.stats().events().refusals()).isEqualTo(Map.of(PutOutcome.BAD_SIZE, 4L));
    assertThat(tier.stats().writes().puts()).isZero();
    assertThat(tier.stats().writes().putBytes()).isZero();
    assertThat(tier.contains(file("file"), 0)).isFalse();
    assertBooksBalance();
  }

  @ParameterizedTest
  @EnumSource(
      value = CountedBlockCodec.Fault.class,
      names = {
        "ENCODE_THROWS",
        "ENCODE_WRITES_LESS",
        "ENCODE_WRITES_NOTHING",
        "ENCODE_WRITES_MORE"
      })
  void blocksThatCannotBeEncodedAreRefused(CountedBlockCodec.Fault fault) {
    int attempts = 200;
    for (int i = 0; i < attempts; i++) {
      assertThat(putFaulty(fault)).isEqualTo(PutOutcome.BAD_BLOCK);
    }
    assertThat(tier.contains(file("faulty"), 0)).isFalse();
    assertThat(tier.stats().events().refusals())
        .isEqualTo(Map.of(PutOutcome.BAD_BLOCK, (long) attempts));
    assertThat(tier.stats().leases().bytes()).isZero();
    assertThat(put("faulty", 0, blockBytes())).isEqualTo(PutOutcome.STORED);
    assertThat(read("faulty", 0)).isTrue();
    assertBooksBalance();
  }

  @Test
  void evictDropsOneBlock() {
    put("file", 0, 1000);
    put("file", 1000, 1000);
    assertThat(tier.evict(file("file"), 0, 0)).isOne();
    assertThat(tier.evict(file("file"), 0, 0)).isZero();
    assertThat(tier.evict(file("file"), 500, 500)).isZero();
    assertThat(tier.evict(file("other"), 1000, 1000)).isZero();
    assertThat(read("file", 0)).isFalse();
    assertThat(read("file", 1000)).isTrue();
    assertThat(tier.stats().events().evictions()).isEqualTo(Map.of(EvictionCause.KEY, 1L));
    assertBooksBalance();
  }

  @Test
  void evictFileDropsItsBlocksOnly() {
    for (int i = 0; i < 40; i++) {
      put(i % 4 == 0 ? "dead" : "alive", i * 100L, 300);
    }
    assertThat(tier.evict(file("dead"), Long.MIN_VALUE, Long.MAX_VALUE)).isEqualTo(10);
    assertThat(tier.evict(file("dead"), Long.MIN_VALUE, Long.MAX_VALUE)).isZero();
    assertThat(tier.evict(file("unknown"), Long.MIN_VALUE, Long.MAX_VALUE)).isZero();
    for (int i = 0; i < 40; i++) {
      assertThat(read(i % 4 == 0 ? "dead" : "alive", i * 100L)).isEqualTo(i % 4 != 0);
    }
    assertThat(tier.usage(file("dead"))).isEqualTo(new FileUsage(file("dead"), 0, 0));
    long aliveBytes = 0;
    for (int i = 0; i < 40; i++) {
      aliveBytes += i % 4 == 0 ? 0 : storedBytes("alive", i * 100L, 300);
    }
    FileUsage alive = new FileUsage(file("alive"), 30, aliveBytes);
    assertThat(tier.usage(file("alive"))).isEqualTo(alive);
    assertThat(listOf(tier.files())).containsExactly(alive);
    assertThat(tier.stats().events().evictions()).isEqualTo(Map.of(EvictionCause.FILE, 10L));
    assertBooksBalance();
  }

  @Test
  void tellsTheBlocksOfAFile() {
    for (int i = 0; i < 40; i++) {
      put(i % 4 == 0 ? "other" : "file", i * 100L, 300 + i);
    }
    tier.evict(file("file"), 100, 100);
    Map<Long, Integer> sizes = new HashMap<>();
    tier.forEachBlock(
        file("file"), (offset, sizeBytes, traits, hits) -> sizes.put(offset, sizeBytes));
    assertThat(sizes)
        .hasSize(29)
        .containsEntry(200L, storedBytes("file", 200, 302))
        .containsEntry(3900L, storedBytes("file", 3900, 339));
    assertThat(sizes.keySet()).allMatch(offset -> offset / 100 % 4 != 0);
    tier.forEachBlock(
        file("unknown"), (offset, sizeBytes, traits, hits) -> sizes.put(-1L, sizeBytes));
    assertThat(sizes).doesNotContainKey(-1L);
  }

  @Test
  void evictRangeIncludesBothEnds() {
    for (int i = 0; i < 10; i++) {
      put("file", i * 100L, 50);
      put("other", i * 100L, 50);
    }
    assertThat(tier.evict(file("file"), 901, Long.MAX_VALUE)).isZero();
    assertThat(tier.evict(file("file"), 300, 299)).isZero();
    assertThat(tier.evict(file("file"), 101, 199)).isZero();
    assertThat(tier.evict(file("file"), 200, 400)).isEqualTo(3);
    assertThat(tier.evict(file("file"), 200, 400)).isZero();
    assertThat(tier.evict(file("file"), 500, 500)).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      assertThat(read("file", i * 100L)).isEqualTo(i < 2 || i > 5);
      assertThat(read("other", i * 100L)).isTrue();
    }
    assertThat(tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE)).isEqualTo(6);
    assertThat(tier.stats().events().evictions())
        .isEqualTo(Map.of(EvictionCause.FILE, 9L, EvictionCause.KEY, 1L));
    assertBooksBalance();
  }

  @Test
  void listingsAreExact() {
    SplittableRandom random = new SplittableRandom(1);
    Map<BlockKey, Integer> model = new HashMap<>();
    int largest = (int) Math.min(capacityBytes() / 2 / 60, 8_000);
    for (int step = 0; step < 5000; step++) {
      String file = "file-" + random.nextInt(6);
      long offset = random.nextInt(10) * 1000L;
      BlockKey key = new BlockKey(file(file), offset);
      switch (random.nextInt(10)) {
        case 0, 1, 2 ->
            assertThat(tier.evict(file(file), offset, offset) > 0)
                .isEqualTo(model.remove(key) != null);
        case 3 -> {
          int before = model.size();
          model.keySet().removeIf(k -> k.file().equals(file(file)));
          assertThat(tier.evict(file(file), Long.MIN_VALUE, Long.MAX_VALUE))
              .isEqualTo(before - model.size());
        }
        case 4 -> {
          int before = model.size();
          model.keySet().removeIf(k -> k.file().equals(file(file)) && k.offset() <= offset);
          assertThat(tier.evict(file(file), 0, offset)).isEqualTo(before - model.size());
        }
        default -> {
          int size = 1 + random.nextInt(largest);
          boolean absent = model.putIfAbsent(key, storedBytes(file, offset, size)) == null;
          assertThat(put(file, offset, size))
              .isEqualTo(absent ? PutOutcome.STORED : PutOutcome.ALREADY_PRESENT);
        }
      }
      assertThat(tier.contains(file(file), offset)).isEqualTo(model.containsKey(key));
      if (step % 50 == 0) {
        assertListingsEqual(model);
      }
    }
  }

  private void assertListingsEqual(Map<BlockKey, Integer> model) {
    Map<BlockKey, Integer> listed = new HashMap<>();
    tier.blocks().forEachRemaining(info -> listed.put(info.key(), info.sizeBytes()));
    assertThat(listed).isEqualTo(model);
    List<FileUsage> usages = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String file = "file-" + i;
      List<Integer> sizes =
          model.entrySet().stream()
              .filter(e -> e.getKey().file().equals(file(file)))
              .map(Map.Entry::getValue)
              .toList();
      FileUsage usage =
          new FileUsage(
              file(file), sizes.size(), sizes.stream().mapToLong(Integer::longValue).sum());
      assertThat(tier.usage(file(file))).isEqualTo(usage);
      if (usage.blocks() > 0) {
        usages.add(usage);
      }
    }
    assertThat(listOf(tier.files())).containsExactlyInAnyOrderElementsOf(usages);
    assertBooksBalance();
  }

  @Test
  void quotaCountsWhatItsFilesHave() {
    Quota first = new Quota(0, 0.5);
    Quota second = new Quota(0.1, 1);
    put("before", 0, 1_000);
    TestFiles.setQuotas(tier, file -> file.startsWith("b") ? first : Quota.NONE);
    int before = storedBytes("before", 0, 1_000);
    int between = storedBytes("between", 1, 20);
    int other = storedBytes("other", 0, 500);
    assertThat(first.bytes()).isEqualTo(before);
    put("between", 0, 300);
    put("between", 1, 20);
    put("between", 1, 20);
    put("between", 2, 4);
    put("other", 0, 500);
    tier.evict(file("between"), 0, 0);
    tier.evict(file("between"), 2, 100);
    assertThat(first.bytes()).isEqualTo(before + between);

    TestFiles.setQuotas(tier, file -> file.equals("before") ? first : second);
    assertThat(first.bytes()).isEqualTo(before);
    assertThat(second.bytes()).isEqualTo(between + other);
    assertThat(Quota.NONE.bytes()).isZero();

    tier.evict(file("before"), Long.MIN_VALUE, Long.MAX_VALUE);
    tier.close();
    assertThat(first.bytes()).isZero();
    assertThat(second.bytes()).isZero();
  }

  @Test
  void fileIsKeptOutByAQuotaOfNothing() {
    put("out", 0, 1_000);
    put("in", 0, 1_000);
    Quota nothing = new Quota(0, 0);
    TestFiles.setQuotas(tier, file -> file.equals("out") ? nothing : Quota.NONE);

    assertThat(read("out", 0)).isFalse();
    assertThat(tier.stats().events().evictions()).containsEntry(EvictionCause.RESIZE, 1L);
    assertThat(tier.accepts(file("out"), 0, 1_000)).isFalse();
    assertThat(tier.accepts(file("in"), 0, 1_000)).isTrue();
    assertThat(put("out", 0, 1_000)).isEqualTo(PutOutcome.ABOVE_MAX);
    assertThat(tier.stats().events().refusals()).containsEntry(PutOutcome.ABOVE_MAX, 1L);
    assertThat(read("in", 0)).isTrue();
    assertThat(put("in", 1, 1_000)).isEqualTo(PutOutcome.STORED);

    TestFiles.setQuotas(tier, file -> Quota.NONE);
    assertThat(put("out", 0, 1_000)).isEqualTo(PutOutcome.STORED);
    assertBooksBalance();
  }

  @Test
  void lookupsAreCountedByAccessAndType() {
    BlockTraits[] traits = new BlockTraits[BlockTraits.TYPES];
    for (int type = 0; type < traits.length; type++) {
      traits[type] = new BlockTraits(type, BlockTraits.Residency.ORDINARY);
      put("file", type, 100, traits[type]);
    }
    long expected = 0;
    for (Access access : Access.values()) {
      for (int type = 0; type < traits.length; type++) {
        int reads = 1 + access.ordinal() * 20 + type;
        for (int i = 0; i < reads; i++) {
          assertThat(read("file", type, access)).isTrue();
        }
        expected += access == Access.UNCOUNTED ? 0 : reads;
        assertThat(tier.stats().reads().hits().of(access, type)).isEqualTo(reads);
      }
      for (int i = 0; i <= access.ordinal(); i++) {
        assertThat(read("file", 1000, access)).isFalse();
      }
    }
    TierStats stats = tier.stats();
    assertThat(stats.reads().hits().counted()).isEqualTo(expected);
    assertThat(stats.reads().misses()).isEqualTo(1 + 2 + 3 + 4);
    assertThat(stats.reads().hitRatio()).isEqualTo((double) expected / (expected + 10));
  }

  @Test
  void looksThatAreNoLookupsAreNotCounted() {
    put("file", 0, 100);
    tier.contains(file("file"), 0);
    tier.contains(file("file"), 1);
    tier.info(file("file"), 0);
    tier.info(file("file"), 1);
    tier.usage(file("file"));
    tier.blocks().forEachRemaining(info -> {});
    put("file", 0, 100);
    TierStats stats = tier.stats();
    assertThat(stats.reads().hits().counted()).isZero();
    assertThat(stats.reads().hits().of(Access.UNCOUNTED)).isZero();
    assertThat(stats.reads().misses()).isZero();
    assertThat(stats.reads().hitRatio()).isNaN();
  }

  @Test
  void memoryUnderALeaseIsNotReused() {
    for (int i = 0; i < 8; i++) {
      put("leased", i, blockBytes());
      lease("leased", i);
      assertThat(tier.evict(file("leased"), i, i)).isOne();
    }
    fillUntilBlocksLeave("flood");
    for (int i = 0; i < 8; i++) {
      Payloads.check("leased", i, leases.get(i));
    }
    releaseLeases();
    assertThat(tier.stats().leases().bytes()).isZero();
    assertBooksBalance();
  }

  private void fillUntilBlocksLeave(String file) {
    BooleanSupplier settled =
        () -> tier.stats().events().evictions().getOrDefault(EvictionCause.SIZE, 0L) > 200;
    for (int i = 0; i < 1_000 && !settled.getAsBoolean(); i++) {
      put(file, i, blockBytes());
      read(file, i);
    }
  }

  @Test
  void capacityIsAHardLimit() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 3_000; i++) {
      put("file-" + i % 7, i, 1 + random.nextInt(largestBlockBytes()));
      TierStats stats = tier.stats();
      assertThat(stats.space().usedBytes())
          .isBetween(stats.space().payloadBytes(), capacityBytes());
    }
    assertThat(tier.stats().events().evictions()).containsKey(EvictionCause.SIZE);
    assertThat(tier.stats().leases().bytes()).isZero();
    assertBooksBalance();
    for (BlockInfo info : listOf(tier.blocks())) {
      assertThat(read(info.key().file().name(), info.key().offset())).isTrue();
    }
  }

  @Test
  void everyPutIsCountedOnce() {
    Map<PutOutcome, Long> outcomes = new HashMap<>();
    long storedBytes = 0;
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 3_000; i++) {
      int size = random.nextInt(largestBlockBytes() + largestBlockBytes() / 20);
      int offset = random.nextInt(500);
      PutOutcome outcome = put("file", offset, size);
      outcomes.merge(outcome, 1L, Long::sum);
      storedBytes += outcome == PutOutcome.STORED ? storedBytes("file", offset, size) : 0;
    }
    TierStats stats = tier.stats();
    assertThat(stats.writes().puts()).isEqualTo(outcomes.remove(PutOutcome.STORED));
    assertThat(stats.writes().putBytes()).isEqualTo(storedBytes);
    outcomes.remove(PutOutcome.ALREADY_PRESENT);
    assertThat(stats.events().refusals()).isEqualTo(outcomes);
    assertBooksBalance();
  }

  @Test
  void promotionIsAPutThatMayTakeLess() {
    assertThat(promote("file", 0, blockBytes())).as("there is room").isEqualTo(PutOutcome.STORED);
    assertThat(promote("file", 0, blockBytes())).isEqualTo(PutOutcome.ALREADY_PRESENT);
    assertThat(promote("file", 1, largestBlockBytes() + 1)).isEqualTo(PutOutcome.BAD_SIZE);
    assertThat(tier.stats().events().refusals()).isEqualTo(Map.of(PutOutcome.BAD_SIZE, 1L));
    fillUntilBlocksLeave("others");
    Map<PutOutcome, Long> outcomes = new HashMap<>(tier.stats().events().refusals());
    outcomes.put(PutOutcome.STORED, tier.stats().writes().puts());
    for (int i = 0; i < 200; i++) {
      PutOutcome outcome = promote("below", i, blockBytes());
      assertThat(read("below", i)).isEqualTo(outcome == PutOutcome.STORED);
      if (outcome != PutOutcome.NOT_ADMITTED) {
        outcomes.merge(outcome, 1L, Long::sum);
      }
    }
    assertThat(tier.stats().writes().puts()).isEqualTo(outcomes.remove(PutOutcome.STORED));
    assertThat(tier.stats().events().refusals()).isEqualTo(outcomes);
    assertBooksBalance();
    tier.close();
    assertThat(promote("below", 0, blockBytes())).isEqualTo(PutOutcome.CLOSED);
  }

  @Test
  void closedTierHoldsNothingAndRefuses() {
    for (int i = 0; i < 20; i++) {
      put("file", i, 1000);
    }
    CountedBlock leased = lease("file", 7);
    tier.close();
    tier.close();
    assertThat(tier.get(file("file"), 7, Access.CACHING)).isNull();
    assertThat(tier.contains(file("file"), 7)).isFalse();
    assertThat(tier.info(file("file"), 7)).isEmpty();
    assertThat(put("file", 7, 1000)).isEqualTo(PutOutcome.CLOSED);
    assertThat(tier.evict(file("file"), 7, 7)).isZero();
    assertThat(tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE)).isZero();
    assertThat(tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE)).isZero();
    assertThat(tier.usage(file("file"))).isEqualTo(new FileUsage(file("file"), 0, 0));
    assertThat(listOf(tier.files())).isEmpty();
    assertThat(listOf(tier.blocks())).isEmpty();
    assertThat(tier.name()).isNotBlank();
    TierStats stats = tier.stats();
    assertThat(stats.space().blocks()).isZero();
    assertThat(stats.reads().misses()).isEqualTo(1);
    assertThat(stats.events().evictions()).isEqualTo(Map.of(EvictionCause.CLOSE, 20L));
    assertThat(stats.events().refusals()).isEqualTo(Map.of(PutOutcome.CLOSED, 1L));
    Payloads.check("file", 7, leased);
  }

  private int maxStoredBytes() {
    return Math.max(largestBlockBytes(), storedBytes("file-0", 0, largestBlockBytes()));
  }

  @Test
  void hammeredByManyThreads() throws Exception {
    LeaseLedger books = LeaseLedger.counting();
    swap(newTier(CountedBlockCodec.sharing(books), capacityBytes()));
    new TierHammer(tier, largestBlockBytes(), maxStoredBytes(), System.nanoTime())
        .run(4, TierHammer.duration(), count -> assertNothingNegative(tier.stats()));
    assertThat(tier.stats().leases().bytes()).isZero();
    assertBooksBalance();
    assertThat(tier.stats().writes().puts()).isPositive();
    assertThat(tier.stats().reads().hits().counted()).isPositive();
    tier.close();
    books.assertNoViolations();
    books.assertAllReleased();
  }

  @Test
  void closedWhileHammered() throws Exception {
    int rounds = 20;
    for (int round = 0; round < rounds; round++) {
      LeaseLedger books = LeaseLedger.counting();
      swap(newTier(CountedBlockCodec.sharing(books), capacityBytes()));
      new TierHammer(tier, largestBlockBytes(), maxStoredBytes(), System.nanoTime())
          .run(3, TierHammer.duration().dividedBy(rounds), count -> closeAfterPuts(50));
      tier.close();
      assertBooksBalance();
      books.assertNoViolations();
      nothingIsLeft();
      books.assertAllReleased();
    }
  }

  private void closeAfterPuts(long puts) {
    if (tier.stats().writes().puts() > puts) {
      tier.close();
    }
  }

  /** Puts another tier in the place of the one under test. */
  private void swap(Tier<CountedBlock> other) {
    tier.close();
    tier = other;
  }
}
