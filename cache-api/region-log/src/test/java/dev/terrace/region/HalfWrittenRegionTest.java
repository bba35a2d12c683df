// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.Superblock.DeviceKind;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.RegionState;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Headers and footers without a magic, as a process leaves them that is killed while it writes. */
class HalfWrittenRegionTest {

  private static final int REGIONS = 6;
  private static final int REGION_BYTES = 64 << 10;
  private static final int FOOTER = REGION_BYTES - RegionLayout.FOOTER_BYTES;

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void isEmptyAndNotDamaged(DeviceKind kind) {
    SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
    assertThat(open(disk, kind).put(file("file"), 0, new byte[100], ForgedBytes.TRAITS, 0))
        .isEqualTo(PutOutcome.STORED);
    disk.detach();
    for (int slot = 0; slot < REGIONS; slot++) {
      ByteBuffer region = disk.region(slot);
      region.put(Long.BYTES, ForgedBytes.genuine(90), 0, RegionLayout.HEADER_BYTES - Long.BYTES);
      region.putLong(0, 0);
      region.put(FOOTER + Long.BYTES, ForgedBytes.genuine(91), 0, 100);
    }
    CacheInspection found =
        new CacheInspection(new SimulatedDevice(disk, false, 1), true, done -> {});
    assertThat(found.damages()).isEmpty();
    assertThat(found.regions(RegionState.EMPTY)).isEqualTo(REGIONS);
    assertThat(open(disk, kind).stats().events().faults()).isEmpty();
  }

  private static RegionTier<byte[]> open(SimulatedDisk disk, DeviceKind kind) {
    RegionTier<byte[]> tier =
        new RegionTier<>(
            new ForgedBytes.Codec(),
            List.of(new SimulatedDevice(disk, kind == DeviceKind.PMEM, 1)),
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            System::nanoTime);
    tier.start();
    return tier;
  }
}
