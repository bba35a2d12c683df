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
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Regions that were damaged while nobody looked: every block is right or a miss, each miss has a
 * count, and the tier goes on.
 */
@Timeout(300)
class RegionFuzzTest {

  private static final BlockTraits TRAITS = new BlockTraits(1, BlockTraits.Residency.ORDINARY);
  private static final int REGION_BYTES = 64 << 10;
  private static final int REGIONS = 3;
  private static final int BLOCK = 6_400;

  /** Besides every byte of all that is not payload, one payload byte in so many is flipped. */
  private static final int PAYLOAD_STRIDE = 7;

  private LeaseLedger ledger;
  private final SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
  private long now;

  private RegionTier<CountedBlock> open(boolean mapped) {
    ledger = LeaseLedger.counting();
    RegionTier<CountedBlock> tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(new SimulatedDevice(disk, mapped, 1)),
            RegionConfig.named("fuzz"),
            path -> Runnable::run,
            () -> now);
    tier.start();
    return tier;
  }

  private void close(RegionTier<CountedBlock> tier) throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private static PutOutcome put(RegionTier<CountedBlock> tier, String file, long offset) {
    CountedBlock block = CountedBlock.of(file, offset, BLOCK);
    PutOutcome outcome = tier.put(file, offset, block, TRAITS);
    block.release();
    return outcome;
  }

  private static boolean read(RegionTier<CountedBlock> tier, String file, long offset) {
    CountedBlock block = tier.get(file, offset, Access.CACHING);
    if (block == null) {
      return false;
    }
    Payloads.check(file, offset, block);
    block.release();
    return true;
  }

  /** Fills one region, and returns how many blocks it holds. */
  private int fillRegion(boolean mapped) throws InterruptedException {
    RegionTier<CountedBlock> tier = open(mapped);
    int blocks = 8;
    for (int i = 0; i < blocks; i++) {
      assertThat(put(tier, "file-" + i % 2, i)).isEqualTo(PutOutcome.STORED);
    }
    close(tier);
    return blocks;
  }

  /** The one region with a footer. */
  private int sealedRegion() {
    for (int region = 0; region < REGIONS; region++) {
      if (disk.region(region).getLong(RegionLayout.footerPosition(REGION_BYTES)) != 0) {
        return region;
      }
    }
    throw new AssertionError("no region was sealed");
  }

  private int readAll(RegionTier<CountedBlock> tier, int blocks) {
    int found = 0;
    for (int i = 0; i < blocks; i++) {
      found += read(tier, "file-" + i % 2, i) ? 1 : 0;
    }
    return found;
  }

  private static long troubles(RegionTier<CountedBlock> tier) {
    return tier.stats().troubles().values().stream().mapToLong(Long::longValue).sum();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void everyFlippedByteIsAMissAndACount(boolean mapped) throws InterruptedException {
    int blocks = fillRegion(mapped);
    int region = sealedRegion();
    byte[] sealed = new byte[REGION_BYTES];
    disk.region(region).get(0, sealed);
    int missed = 0;
    for (int at = 0; at < REGION_BYTES; at = next(at)) {
      disk.region(region).put(0, sealed);
      disk.flip(region, at, at % 8);
      RegionTier<CountedBlock> tier = open(mapped);
      int found = readAll(tier, blocks);
      if (found < blocks) {
        assertThat(troubles(tier)).as("counts of what byte %d spoiled", at).isPositive();
        missed++;
      }
      if (at % 16 == 0) {
        assertThat(put(tier, "new", at)).isEqualTo(PutOutcome.STORED);
        assertThat(read(tier, "new", at)).isTrue();
      }
      crash(tier);
    }
    assertThat(missed).as("bytes that matter").isGreaterThan(blocks * RecordLayout.NAME);
  }

  /** All bytes of headers, names, the table and the footer, and some of the others. */
  private int next(int at) {
    int record = (at - RegionLayout.FIRST_RECORD) % RecordLayout.recordBytes(6, BLOCK);
    boolean structure =
        at < RegionLayout.FIRST_RECORD || record < 64 || at > REGION_BYTES - 64 - 8 * 32 - 32;
    return structure ? at + 1 : at + PAYLOAD_STRIDE - at % PAYLOAD_STRIDE;
  }

  /** Leaves a tier behind as a kill does: what it wrote since is undone by the next round. */
  private void crash(RegionTier<CountedBlock> tier) {
    assertThat(tier.stats().leasedBytes()).isZero();
    ledger.assertNoViolations();
    for (int region = 0; region < REGIONS; region++) {
      disk.region(region).put(0, new byte[REGION_BYTES]);
    }
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void garbageIsNoBlock(boolean mapped) throws InterruptedException {
    for (int seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int blocks = fillRegion(mapped);
      for (int region = 0; region < REGIONS; region++) {
        int from = random.nextInt(REGION_BYTES);
        byte[] garbage = new byte[random.nextInt(REGION_BYTES - from)];
        random.nextBytes(garbage);
        disk.region(region).put(from, garbage);
      }
      RegionTier<CountedBlock> tier = open(mapped);
      int found = readAll(tier, blocks);
      if (found < blocks) {
        assertThat(troubles(tier)).as("seed=%d", seed).isPositive();
      }
      for (int i = 0; i < 30; i++) {
        put(tier, "new", i);
      }
      assertThat(read(tier, "new", 29)).isTrue();
      close(tier);
    }
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void regionsThatChangedPlacesAreNotTaken(boolean mapped) throws InterruptedException {
    int blocks = fillRegion(mapped);
    int region = sealedRegion();
    int other = (region + 1) % REGIONS;
    byte[] sealed = new byte[REGION_BYTES];
    disk.region(region).get(0, sealed);
    disk.region(region).put(0, new byte[REGION_BYTES]);
    disk.region(other).put(0, sealed);
    RegionTier<CountedBlock> tier = open(mapped);
    assertThat(readAll(tier, blocks)).isZero();
    assertThat(troubles(tier)).isPositive();
    close(tier);
  }
}
