// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocks of up to half of a region leave up to half of the regions empty. No block of such a region
 * is dead, so a reclaim that writes them anew gains nothing.
 */
class LargeBlocksTest {

  private static final int REGIONS = 24;
  private static final int REGION_BYTES = 256 << 10;
  private static final int PUTS = 3_000;
  private static final BlockTraits DATA = new BlockTraits(1, BlockTraits.Residency.ORDINARY);

  // Without a mend the worker, which is the calling thread here, wrote two blocks anew for ever.
  @ParameterizedTest
  @ValueSource(longs = {3, 4, 5})
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void areNotWrittenAnewWithoutEnd(long seed) {
    RegionTier<CountedBlock> tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(LeaseLedger.counting()),
            List.of(new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), true, 1)),
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            System::nanoTime);
    tier.start();
    SplittableRandom random = new SplittableRandom(seed);
    long putBytes = 0;
    for (int i = 0; i < PUTS; i++) {
      int bytes = 1 + random.nextInt(REGION_BYTES / 2);
      CountedBlock block = CountedBlock.of("file-" + i % 7, i, bytes);
      tier.put(file("file-" + i % 7), i, block, DATA, 0);
      block.release();
      putBytes += bytes;
    }
    assertThat(tier.stats().writes().rewrittenBytes()).isLessThan(putBytes / 10);
    assertThat(tier.stats().space().blocks()).isGreaterThan(REGIONS);
    tier.close();
  }
}
