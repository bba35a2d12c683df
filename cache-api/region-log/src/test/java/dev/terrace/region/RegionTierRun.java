// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Payloads;
import dev.terrace.api.TestFiles;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierStats;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.RegionDevices;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.device.Tombstones;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * One random sequence: some lives of a tier over the same disks, each ended by a close, the kill of
 * the process or a power cut. All that is random comes from the seed.
 */
final class RegionTierRun {

  private static final int REGIONS = 16;
  private static final int MIN_REGIONS = 4;
  private static final int REGION_BYTES = 64 << 10;
  private static final int FILES = 4;
  private static final int STEPS = 120;
  private static final int HELD = 12;

  private final long seed;
  private final boolean mapped;
  private final SplittableRandom random;
  private final List<SimulatedDisk> disks = new ArrayList<>();
  private final Set<BlockKey> everPut = new HashSet<>();
  private final List<Runnable> queue = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private final int offsets;
  private final int largestBytes;
  private final boolean byHand;
  private final boolean withFaults;
  private final boolean verifyReads;
  private Set<BlockKey> expected = Set.of();

  /** What was evicted for good in earlier lives, and not put since. */
  private Set<BlockKey> goneForGood = Set.of();

  private boolean flipped;
  private boolean torn;
  private long nanos;
  private long step;
  private long hits;
  private LeaseLedger ledger;
  private List<SimulatedDevice> devices;
  private RegionTier<CountedBlock> tier;
  private RegionTierModel model;

  private record Held(BlockKey key, CountedBlock block) {}

  RegionTierRun(long seed, boolean mapped) {
    this.seed = seed;
    this.mapped = mapped;
    this.random = new SplittableRandom(seed);
    int devicesWanted = random.nextInt(4) == 0 ? 2 : 1;
    for (int i = 0; i < devicesWanted; i++) {
      disks.add(new SimulatedDisk(REGIONS, REGION_BYTES).withUnits(mapped ? 64 : 512));
    }
    this.offsets = 10 + random.nextInt(30);
    this.largestBytes = random.nextBoolean() ? 4_000 : REGION_BYTES / 2;
    this.byHand = random.nextBoolean();
    this.withFaults = random.nextBoolean();
    this.verifyReads = withFaults || random.nextBoolean();
    this.nanos = random.nextLong();
  }

  /** Lookups that found their block. */
  long hits() {
    return hits;
  }

  /**
   * Runs it.
   *
   * @throws AssertionError with the seed and the step
   */
  void run() {
    try {
      int lives = 2 + random.nextInt(3);
      for (int life = 0; life < lives; life++) {
        open();
        int steps = 1 + random.nextInt(STEPS);
        for (int i = 0; i < steps; i++) {
          step++;
          step();
          model.check();
        }
        end(life == lives - 1);
      }
    } catch (AssertionError | RuntimeException | IOException | InterruptedException e) {
      throw new AssertionError(
          "-Dterrace.model.seed=" + seed + " mapped=" + mapped + " step=" + step, e);
    }
  }

  private void open() {
    ledger = LeaseLedger.counting();
    devices = new ArrayList<>();
    for (SimulatedDisk disk : disks) {
      int alignment = mapped || seed % 2 == 0 ? 1 : 512;
      devices.add(
          new SimulatedDevice(disk, mapped, random.nextLong())
              .aligned(alignment)
              .at("disk" + devices.size()));
    }
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            devices,
            RegionConfig.named("model", TestFiles.FILES).withVerify(verifyReads),
            path -> byHand ? queue::add : Runnable::run,
            () -> nanos);
    model = new RegionTierModel(tier, FILES, offsets, everPut, expected, goneForGood);
    if (flipped) {
      model.mayLose();
    }
    if (torn) {
      model.mayBeDamaged();
    }
    tier.start();
  }

  private void step() {
    int dice = random.nextInt(1000);
    if (dice < 380) {
      model.put(model.randomKey(random), size(), random);
    } else if (dice < 730) {
      get(model.randomKey(random));
    } else if (dice < 770) {
      model.evict(model.randomKey(random));
    } else if (dice < 780) {
      model.evictFile(model.randomKey(random).file().name());
    } else if (dice < 800) {
      BlockKey from = model.randomKey(random);
      model.evictRange(
          from.file().name(), from.offset(), from.offset() + random.nextLong(1L << 19));
    } else if (dice < 850) {
      giveBack();
    } else if (dice < 920) {
      drainOne();
    } else if (dice < 950) {
      nanos += random.nextLong(3_000_000_000L);
      tier.tick();
    } else if (dice < 960) {
      tier.sealOpen();
    } else if (dice < 970) {
      resize();
    } else if (withFaults) {
      fault(devices.get(random.nextInt(devices.size())));
    }
  }

  /** Some shrinks end much later, or are replaced by the next one. */
  private void resize() {
    int regions = MIN_REGIONS + random.nextInt(2 * REGIONS - MIN_REGIONS);
    long sizeBytes = (long) regions * disks.size() * REGION_BYTES;
    CompletableFuture<Void> done = tier.resize(path -> (long) regions * REGION_BYTES);
    if (done.isDone() && !done.isCompletedExceptionally()) {
      assertThat(tier.capacityBytes()).isEqualTo(sizeBytes);
    }
  }

  private int size() {
    int size = 1 + random.nextInt(random.nextBoolean() ? 300 : largestBytes);
    int durable = Math.max(1, size / RegionTierModel.FORMATS) * RegionTierModel.FORMATS;
    return random.nextInt(8) == 0 ? size : durable;
  }

  private void get(BlockKey key) {
    Access access = random.nextBoolean() ? Access.CACHING : Access.UNCOUNTED;
    CountedBlock block = model.get(key, access);
    if (block == null) {
      return;
    }
    hits++;
    if (held.size() < HELD && random.nextInt(4) == 0) {
      held.add(new Held(key, block));
    } else {
      block.release();
    }
  }

  private void giveBack() {
    if (!held.isEmpty()) {
      Held one = held.remove(random.nextInt(held.size()));
      Payloads.check(one.key.file().name(), one.key.offset(), one.block);
      one.block.release();
    }
  }

  private void drainOne() {
    if (!queue.isEmpty()) {
      queue.remove(random.nextInt(queue.size())).run();
    }
  }

  private void drain() {
    while (!queue.isEmpty()) {
      drainOne();
    }
  }

  private void fault(SimulatedDevice device) {
    model.mayLose();
    switch (random.nextInt(8)) {
      case 0 -> device.readErrors(random.nextDouble());
      case 1 -> device.writeErrors(random.nextDouble());
      case 2 -> device.flips(random.nextDouble());
      case 3 -> device.full(true);
      case 4 -> device.badRegion(random.nextInt(device.regions()));
      default -> device.readErrors(0).writeErrors(0).flips(0).full(false);
    }
  }

  private void end(boolean last) throws IOException, InterruptedException {
    boolean lossy = model.isFaulty();
    int how = last ? 0 : random.nextInt(3);
    if (how == 0) {
      close();
    } else {
      crash(how == 1, lossy);
    }
    queue.clear();
    goneForGood = lossy ? Set.of() : model.goneForGood(how == 0);
    if (random.nextInt(4) == 0) {
      flipped = true;
      for (int flips = 1 + random.nextInt(20); flips > 0; flips--) {
        SimulatedDisk disk = disks.get(random.nextInt(disks.size()));
        disk.flip(random.nextInt(disk.regions()), random.nextInt(REGION_BYTES), random.nextInt(8));
      }
    }
  }

  private void close() throws InterruptedException {
    if (!model.isFaulty() && tier.isRecovered()) {
      drain();
      model.check();
      expected = model.durable();
    } else {
      expected = Set.of();
    }
    tier.close();
    if (random.nextBoolean()) {
      drain();
    }
    while (!held.isEmpty()) {
      giveBack();
    }
    drain();
    assertThat(tier.awaitReleased(Duration.ZERO)).as("the device was given back").isTrue();
    assertThat(devices).allMatch(SimulatedDevice::isClosed);
    ledger.assertNoViolations();
    ledger.assertAllReleased();
    TierStats stats = tier.stats();
    assertThat(stats.space().blocks()).isZero();
    assertThat(stats.space().usedBytes()).isZero();
    assertThat(stats.leases().bytes()).isZero();
    BlockKey key = model.randomKey(random);
    assertThat(tier.get(key.file(), key.offset(), Access.CACHING)).isNull();
  }

  private void crash(boolean powerCut, boolean lossy) throws IOException {
    boolean wholeMemory = mapped && !powerCut && tier.isRecovered();
    expected = wholeMemory ? model.durable() : sealed();
    if (lossy) {
      expected = Set.of();
    }
    for (Held one : held) {
      Payloads.check(one.key.file().name(), one.key.offset(), one.block);
    }
    held.clear();
    torn |= mapped && powerCut;
    ledger.assertNoViolations();
    if (powerCut) {
      disks.replaceAll(disk -> disk.afterPowerCut(random));
    }
  }

  /** What lies in sealed regions, by their tables. */
  private Set<BlockKey> sealed() throws IOException {
    Set<BlockKey> keys = new HashSet<>();
    for (SimulatedDisk disk : disks) {
      SimulatedDevice device = new SimulatedDevice(disk, false, 1);
      DeviceHealth health = new DeviceHealth("look", IoLimits.USUAL, () -> 0, new TierCounters());
      RegionDevice io = RegionDevices.buffered(device, health);
      Tombstones evictions = new Tombstones(io, () -> 0);
      evictions.load();
      for (int slot = 0; slot < disk.regions(); slot++) {
        RegionLayout.Footer footer = flipped ? null : io.stored().footer(slot);
        if (footer != null) {
          for (RegionTable.Entry entry : io.stored().table(slot, footer).entries()) {
            if (entry.isDurable()
                && !evictions.keepsOut(entry.file(), entry.offset(), entry.sequence())) {
              keys.add(new BlockKey(file(entry.file()), entry.offset()));
            }
          }
        }
      }
    }
    return keys;
  }
}
