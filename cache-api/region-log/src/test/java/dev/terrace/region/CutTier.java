// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.device.PowerSupply;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** A tier that loses its power again and again, and what must be left of it. For one thread. */
final class CutTier {

  private static final int REGIONS = 10;
  private static final int REGION_BYTES = 16 << 10;
  private static final BlockTraits TRAITS = new BlockTraits(1, BlockTraits.Residency.ORDINARY);
  private static final byte[] DATA_KEY = new byte[BlockCipher.KEY_BYTES];

  private final boolean mapped;
  private final int unitBytes;
  private final Predicate<String> encrypted;
  private SimulatedDisk disk;
  private RegionTier<CountedBlock> tier;

  /** What was ever put: nothing else may be served. */
  private final Set<BlockKey> everPut = new HashSet<>();

  /** What is whole if it is there: put since the last cut, or served after it. */
  private final Set<BlockKey> whole = new HashSet<>();

  /** What a power cut may not take. */
  private final Set<BlockKey> durable = new HashSet<>();

  /**
   * A tier over an empty disk.
   *
   * @param unitBytes bytes that a power cut leaves or takes together
   * @param encrypted the files whose blocks are encrypted
   */
  CutTier(boolean mapped, int unitBytes, Predicate<String> encrypted) {
    this.mapped = mapped;
    this.unitBytes = unitBytes;
    this.encrypted = encrypted;
    FILES.whenNew(file -> file.setEncrypted(encrypted.test(file.name())));
    this.disk = new SimulatedDisk(REGIONS, REGION_BYTES).withUnits(unitBytes);
  }

  SimulatedDisk disk() {
    return disk;
  }

  void open(PowerSupply power, Executor worker, LongSupplier nanoTime) {
    tier = start(disk, new WhileEncoding(power::moment), worker, nanoTime);
  }

  private RegionTier<CountedBlock> start(
      SimulatedDisk of, BlockCodec<CountedBlock> codec, Executor worker, LongSupplier nanoTime) {
    RegionTier<CountedBlock> started =
        new RegionTier<>(
            codec,
            List.of(new SimulatedDevice(of, mapped, 1).encrypting(new BlockCipher(DATA_KEY))),
            RegionConfig.named("cut", FILES),
            path -> worker,
            nanoTime);
    started.start();
    return started;
  }

  void demoteTo(CutTier lower) {
    tier.demoteTo(lower.new Target());
  }

  void put(BlockKey key, int sizeBytes) {
    CountedBlock block = CountedBlock.of(key.file().name(), key.offset(), sizeBytes);
    put(key, block, TRAITS);
    block.release();
  }

  private void put(BlockKey key, CountedBlock block, BlockTraits traits) {
    if (tier.put(key.file(), key.offset(), block, traits, 0) == PutOutcome.STORED) {
      everPut.add(key);
      whole.add(key);
      // It had left in this step, if it was there at the end of the last one.
      durable.remove(key);
    }
  }

  void get(BlockKey key) {
    CountedBlock block = tier.get(key.file(), key.offset(), Access.CACHING);
    if (block != null) {
      Payloads.check(key.file().name(), key.offset(), block);
      block.release();
    }
  }

  void evict(BlockKey key) {
    tier.evict(key.file(), key.offset(), key.offset());
  }

  void evictFile(String file) {
    tier.evict(file(file), Long.MIN_VALUE, Long.MAX_VALUE);
  }

  void sealOpen() {
    tier.sealOpen();
  }

  void tick() {
    tier.tick();
  }

  /**
   * Notes after each step what is durable from now on, and what has left.
   *
   * @param persisted whether the worker has done all that it has to do every few seconds
   */
  void note(boolean persisted) {
    Set<BlockKey> present = new HashSet<>();
    for (Iterator<BlockInfo> blocks = tier.blocks(); blocks.hasNext(); ) {
      present.add(blocks.next().key());
    }
    durable.retainAll(present);
    if (persisted) {
      present.retainAll(whole);
      durable.addAll(present);
    }
  }

  /** Goes on with what is left of the disk. Returns how many blocks must be there. */
  int cut(SimulatedDisk left) {
    disk = left;
    return durable.size();
  }

  /** Looks at all there is, in a copy of the disk. */
  void checkWhatIsLeft() {
    RegionTier<CountedBlock> after =
        start(
            disk.copy(), CountedBlockCodec.sharing(LeaseLedger.counting()), Runnable::run, () -> 0);
    assertThat(after.isRecovered()).isTrue();
    whole.clear();
    for (BlockKey key : everPut) {
      CountedBlock block = after.get(key.file(), key.offset(), Access.CACHING);
      if (block != null) {
        Payloads.check(key.file().name(), key.offset(), block);
        block.release();
        whole.add(key);
      }
    }
    for (Iterator<BlockInfo> blocks = after.blocks(); blocks.hasNext(); ) {
      assertThat(everPut).contains(blocks.next().key());
    }
    Set<BlockKey> lost = new HashSet<>(durable);
    lost.removeAll(whole);
    long leftForRoom = after.stats().events().evictions().getOrDefault(EvictionCause.SIZE, 0L);
    assertThat(lost.size()).as("%s lost %s", this, lost).isLessThanOrEqualTo((int) leftForRoom);
    durable.removeAll(lost);
  }

  /** How many blocks the last check has read. */
  int served() {
    return whole.size();
  }

  /** How many of them were encrypted. */
  long servedEncrypted() {
    return whole.stream().filter(key -> encrypted.test(key.file().name())).count();
  }

  @Override
  public String toString() {
    return (mapped ? "mapped" : "file") + " unit=" + unitBytes;
  }

  /** Takes the blocks that the tier above evicts. */
  private final class Target implements DemotionTarget<CountedBlock> {
    @Override
    public boolean wants(BlockInfo info) {
      return !tier.contains(info.key().file(), info.key().offset());
    }

    @Override
    public void offer(BlockInfo info, CountedBlock block, boolean wasHit) {
      put(info.key(), block, info.traits());
    }

    @Override
    public Above above(CacheFile file, long offset) {
      return Above.NO;
    }
  }
}
