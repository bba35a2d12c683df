// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.Superblock.CacheSecret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A tier with a write limit, and more demotions to it than it allows. */
class WriteLimitTest {

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final int BLOCK_BYTES = 30_000;
  private static final long LIMIT_BYTES = 1 << 20;
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  private record Write(long nanos, int bytes) {}

  /** Notes each write. */
  private final class NotedDevice implements Device {
    private final Device device = new SimulatedDevice(new SimulatedDisk(24, 2 << 20), false, 1);

    @Override
    public String path() {
      return device.path();
    }

    @Override
    public CacheSecret secret() {
      return device.secret();
    }

    @Override
    public long generation() {
      return device.generation();
    }

    @Override
    public int regions() {
      return device.regions();
    }

    @Override
    public int regionBytes() {
      return device.regionBytes();
    }

    @Override
    public int alignmentBytes() {
      return device.alignmentBytes();
    }

    @Override
    public boolean isMapped() {
      return device.isMapped();
    }

    @Override
    public ByteBuffer memory(int region) {
      return device.memory(region);
    }

    @Override
    public void read(int region, int position, ByteBuffer target) throws IOException {
      device.read(region, position, target);
    }

    @Override
    public void write(int region, int position, ByteBuffer source) throws IOException {
      writes.add(new Write(nanos, source.remaining()));
      device.write(region, position, source);
    }

    @Override
    public void force(int region, int position, int lengthBytes) throws IOException {
      device.force(region, position, lengthBytes);
    }

    @Override
    public void close() {
      device.close();
    }
  }

  private final List<Write> writes = new ArrayList<>();
  private final LeaseLedger ledger = LeaseLedger.counting();
  private final CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
  private final HandRun worker = new HandRun();
  private long nanos;

  /** A clock that goes on by itself while somebody waits, and lets nobody really wait. */
  private long clock() {
    nanos += 50_000;
    LockSupport.unpark(Thread.currentThread());
    return nanos;
  }

  @Test
  void noWindowOfTenSecondsHasMoreThanTheLimit() throws Exception {
    DramTier<CountedBlock> dram = new DramTier<>(codec, new DramConfig(1 << 20, 0));
    RegionTier<CountedBlock> ssd =
        new RegionTier<>(
            codec,
            List.of(new NotedDevice()),
            RegionConfig.named("ssd", FILES)
                .withLimits(IoLimits.of(IoLimits.USUAL_READERS, LIMIT_BYTES)),
            path -> worker,
            this::clock);
    ssd.start();
    worker.runAll();
    List<Tier<CountedBlock>> tiers = List.of(dram, ssd);
    Movement movement =
        Movement.standard(
            tiers, false, Map.of("ssd", LIMIT_BYTES), this::clock, Runnable::run, Long.MAX_VALUE);
    TieredCache<CountedBlock> cache = new TieredCache<>(FILES, tiers, codec, movement);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      long offset = (long) (2_000 * Math.pow(random.nextDouble(), 2));
      CountedBlock block = cache.get(file("file"), offset, Access.CACHING);
      if (block == null) {
        block = CountedBlock.of("file", offset, BLOCK_BYTES);
        cache.put(file("file"), offset, block, DATA);
      }
      block.release();
      nanos += TimeUnit.MILLISECONDS.toNanos(1);
      if (i % 500 == 0) {
        worker.runAll();
      }
    }

    assertThat(nanos).as("simulated").isGreaterThan(2 * WINDOW_NANOS);
    long all = writes.stream().mapToLong(Write::bytes).sum();
    assertThat(all).as("the limit is used").isGreaterThan(LIMIT_BYTES * 10);
    assertThat(maxInOneWindow()).isLessThanOrEqualTo(10 * LIMIT_BYTES);
    Map<MoveOutcome, Long> outcomes = cache.moves().get(0).blocks();
    assertThat(outcomes).containsKeys(MoveOutcome.MOVED, MoveOutcome.OVER_BUDGET);
    cache.close();
    worker.runAll();
    assertThat(ssd.awaitReleased(Patience.LIMIT)).isTrue();
    ledger.assertAllReleased();
  }

  private long maxInOneWindow() {
    long most = 0;
    long bytes = 0;
    int first = 0;
    for (Write last : writes) {
      bytes += last.bytes();
      while (last.nanos() - writes.get(first).nanos() >= WINDOW_NANOS) {
        bytes -= writes.get(first++).bytes();
      }
      most = Math.max(most, bytes);
    }
    return most;
  }
}
