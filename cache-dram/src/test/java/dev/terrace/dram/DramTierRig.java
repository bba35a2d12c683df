// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats;
import java.util.ArrayList;
import java.util.List;

/**
 * A DRAM tier with everything that a test watches it with. Closing it checks that no lease is left,
 * that none was released once too often, and that all memory went back.
 */
final class DramTierRig implements AutoCloseable {

  final LeaseLedger ledger = LeaseLedger.counting();
  final LimitedAllocator source;
  final DramTier<CountedBlock> tier;
  private final List<CountedBlock> leases = new ArrayList<>();

  DramTierRig(long capacityBytes, double protectedShare) {
    this(capacityBytes, protectedShare, capacityBytes);
  }

  DramTierRig(long capacityBytes, double protectedShare, long limitBytes) {
    this.source = new LimitedAllocator(limitBytes);
    this.tier =
        new DramTier<>(
            CountedBlockCodec.sharing(ledger),
            new DramConfig(capacityBytes, protectedShare),
            DramMemory.atOnce(source));
  }

  /** A tier whose memory comes from {@code source} by the way of {@code memory}. */
  DramTierRig(DramConfig config, LimitedAllocator source, DramMemory memory) {
    this.source = source;
    this.tier = new DramTier<>(CountedBlockCodec.sharing(ledger), config, memory);
  }

  PutOutcome put(String file, long offset, int sizeBytes) {
    return put(file, offset, sizeBytes, Residency.ORDINARY);
  }

  PutOutcome put(String file, long offset, int sizeBytes, Residency residency) {
    return put(
        file, offset, CountedBlock.of(file, offset, sizeBytes), new BlockTraits(0, residency));
  }

  PutOutcome putFaulty(String file, long offset, int sizeBytes, CountedBlockCodec.Fault fault) {
    return put(
        file,
        offset,
        CountedBlock.faulty(file, offset, sizeBytes, fault),
        new BlockTraits(0, Residency.ORDINARY));
  }

  private PutOutcome put(String file, long offset, CountedBlock block, BlockTraits traits) {
    try {
      return tier.put(file(file), offset, block, traits, 0);
    } finally {
      block.release();
    }
  }

  /** Puts a block that a tier below has. */
  PutOutcome promote(String file, long offset, int sizeBytes) {
    CountedBlock block = CountedBlock.of(file, offset, sizeBytes);
    try {
      return tier.promote(file(file), offset, block, new BlockTraits(0, Residency.ORDINARY));
    } finally {
      block.release();
    }
  }

  /** Reads and checks a block, and releases it. */
  boolean read(String file, long offset, Access access) {
    CountedBlock block = tier.get(file(file), offset, access);
    if (block == null) {
      return false;
    }
    Payloads.check(file, offset, block);
    block.release();
    return true;
  }

  /** Reads a block and holds it until {@link #releaseLeases}. */
  CountedBlock lease(String file, long offset) {
    CountedBlock block = tier.get(file(file), offset, Access.UNCOUNTED);
    assertThat(block).as("%s %d", file, offset).isNotNull();
    leases.add(block);
    return block;
  }

  void releaseLeases() {
    leases.forEach(CountedBlock::release);
    leases.clear();
  }

  List<BlockInfo> blocks() {
    List<BlockInfo> blocks = new ArrayList<>();
    tier.blocks().forEachRemaining(blocks::add);
    return blocks;
  }

  long payloadBytes(Residency residency) {
    return blocks().stream()
        .filter(info -> info.traits().residency() == residency)
        .mapToLong(BlockInfo::sizeBytes)
        .sum();
  }

  /** Checks what holds while nobody changes the tier, and that every resident block reads right. */
  void assertSound() {
    TierStats stats = tier.stats();
    List<BlockInfo> blocks = blocks();
    assertThat(stats.space().blocks()).isEqualTo(blocks.size());
    assertThat(stats.space().payloadBytes())
        .isEqualTo(blocks.stream().mapToLong(BlockInfo::sizeBytes).sum());
    assertThat(
            stats.writes().puts()
                - stats.events().evictions().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(stats.space().blocks());
    assertThat(stats.space().usedBytes())
        .isBetween(stats.space().payloadBytes(), stats.space().capacityBytes());
    for (BlockInfo info : blocks) {
      assertThat(read(info.key().file().name(), info.key().offset(), Access.UNCOUNTED)).isTrue();
    }
  }

  @Override
  public void close() {
    releaseLeases();
    tier.close();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
    assertThat(source.usedBytes()).as("direct memory in use").isZero();
    assertThat(tier.stats().leases().bytes()).isZero();
    assertThat(tier.stats().space().blocks()).isZero();
  }
}
