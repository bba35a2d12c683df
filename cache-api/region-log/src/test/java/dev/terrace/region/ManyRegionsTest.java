// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device of more regions than a restart looks at before it loads the first ones. */
class ManyRegionsTest {

  private static final int REGIONS = 600;
  private static final int REGION_BYTES = 64 << 10;
  private static final int IN_REGION = 3;
  private static final int OLDER_BYTES = 20_000;
  private static final int NEWER_BYTES = 20_500;
  private static final int OLDER = 200 * IN_REGION;
  private static final int OTHERS = 230 * IN_REGION;
  private static final int NEWER = 150 * IN_REGION;

  private final SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
  private final LeaseLedger ledger = LeaseLedger.counting();
  private RegionTier<CountedBlock> tier;

  private NumberedBlocks open(boolean mapped) {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(new SimulatedDevice(disk, mapped, 1)),
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            () -> 1);
    tier.start();
    return new NumberedBlocks(tier, "file", NEWER_BYTES);
  }

  @AfterEach
  void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theNewerRecordOfABlockIsBackThoughItsRegionIsReadLater(boolean mapped)
      throws InterruptedException {
    NumberedBlocks newer = open(mapped);
    assertThat(new NumberedBlocks(tier, "file", OLDER_BYTES).putAll(0, OLDER)).isEqualTo(OLDER);
    assertThat(new NumberedBlocks(tier, "other", OLDER_BYTES).putAll(0, OTHERS)).isEqualTo(OTHERS);
    tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(newer.putAll(0, NEWER)).isEqualTo(NEWER);
    close();

    newer = open(mapped);
    assertThat(tier.isRecovered()).isTrue();
    for (int block = 0; block < NEWER; block++) {
      assertThat(tier.info(file("file"), block).orElseThrow().sizeBytes()).isEqualTo(NEWER_BYTES);
    }
    assertThat(newer.readAll(0, NEWER)).isEqualTo(NEWER);
    assertThat(new NumberedBlocks(tier, "other", OLDER_BYTES).readAll(0, OTHERS)).isEqualTo(OTHERS);
    tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE);
    tier.evict(file("other"), Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(tier.stats().space().usedBytes()).as("each is counted once").isZero();
  }
}
