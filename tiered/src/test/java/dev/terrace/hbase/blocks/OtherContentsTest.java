// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two blocks of one key, with other contents. */
class OtherContentsTest {

  private static final String FILE = "file";
  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final BlockCacheKey KEY = TestBlocks.key(FILE, 0);

  private final HBaseBlockCodec codec = new HBaseBlockCodec();
  private final SimulatedDevice device =
      new SimulatedDevice(new SimulatedDisk(12, 1 << 20), false, 1);
  private final AtomicLong clock = new AtomicLong();
  private long tickNanos = 1;
  private final DramTier<Cacheable> dram = new DramTier<>(codec, new DramConfig(8 << 20, 0.5));
  private final RegionTier<Cacheable> ssd =
      new RegionTier<>(
          codec,
          List.of(device),
          RegionConfig.named("ssd", FILES),
          path -> Runnable::run,
          () -> clock.addAndGet(tickNanos));

  private TieredCache<Cacheable> tiers;
  private BlockInserter inserter;

  private void over(List<Tier<Cacheable>> these) {
    ssd.start();
    tiers =
        new TieredCache<>(
            FILES,
            these,
            codec,
            Movement.standard(these, false, Map.of(), System::nanoTime, Runnable::run, 8 << 20));
    inserter = new BlockInserter(tiers);
  }

  @AfterEach
  void close() throws InterruptedException {
    tiers.close();
    dram.close();
    ssd.close();
    assertThat(ssd.awaitReleased(Patience.LIMIT)).isTrue();
  }

  private static HFileBlock block(long seed) {
    return TestBlocks.block(seed, 0, 66_000, BlockType.DATA, -1);
  }

  private PutOutcome put(long seed) {
    return inserter.put(file(FILE), KEY, block(seed), false, Source.READ);
  }

  private void assertServes(Cacheable expected) {
    Cacheable found = tiers.get(file(FILE), 0, Access.UNCOUNTED);
    assertThat(found).isEqualTo(expected);
    found.release();
  }

  @Test
  void areNotServedOnceTheNewBlockHasLeftDram() {
    over(List.of(dram, ssd));
    ssd.put(file(FILE), 0, block(1), DATA, 0);
    assertThat(put(2)).isEqualTo(PutOutcome.STORED);
    assertServes(block(2));
    dram.evict(file(FILE), 0, 0);
    assertThat(tiers.contains(file(FILE), 0)).isFalse();
  }

  @Test
  void areFoundInBlocksThatWereMadeOfResidentOnes() {
    over(List.of(dram));
    assertThat(put(1)).isEqualTo(PutOutcome.STORED);
    assertThat(inserter.putRewritten(file(FILE), KEY, block(1), false, 0))
        .isEqualTo(PutOutcome.ALREADY_PRESENT);
    assertThat(inserter.putRewritten(file(FILE), KEY, block(2), false, 0))
        .isEqualTo(PutOutcome.BAD_BLOCK);
    assertThat(tiers.contains(file(FILE), 0)).isFalse();
  }

  @Test
  void areReplacedWhereTheyCannotBeRead() {
    over(List.of(ssd));
    assertThat(put(1)).isEqualTo(PutOutcome.STORED);
    ssd.sealOpen();
    device.readErrors(1);
    assertThat(put(2)).isEqualTo(PutOutcome.STORED);
    device.readErrors(0);
    assertServes(block(2));
  }

  /** Lets reads of the SSD tier take so long that callers beyond one go to the store. */
  private void saturate() {
    ssd.storeRead(1);
    ssd.sealOpen();
    tickNanos = TimeUnit.MILLISECONDS.toNanos(2);
    for (int read = 0; read < 200; read++) {
      assertServes(block(1));
    }
    tickNanos = 1;
  }

  /** A reader that was sent to the store brings the same block again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areNotSuspectedWhereTooManyReadAPath(boolean hasDram) throws Exception {
    over(hasDram ? List.of(dram, ssd) : List.of(ssd));
    assertThat(ssd.put(file(FILE), 0, block(1), DATA, 0)).isEqualTo(PutOutcome.STORED);
    saturate();
    long written = ssd.stats().writes().puts();
    device.stall();
    Thread inside = new Thread(() -> assertServes(block(1)));
    inside.start();
    Awaitility.await().until(() -> device.waiting() == 1);
    assertThat(tiers.get(file(FILE), 0, Access.UNCOUNTED)).as("at once").isNull();
    assertThat(put(1)).isEqualTo(hasDram ? PutOutcome.STORED : PutOutcome.ALREADY_PRESENT);
    device.resume();
    inside.join();
    assertThat(ssd.contains(file(FILE), 0)).as("it stays").isTrue();
    assertThat(ssd.stats().writes().puts()).as("and is not written again").isEqualTo(written);
    assertServes(block(1));
  }
}
