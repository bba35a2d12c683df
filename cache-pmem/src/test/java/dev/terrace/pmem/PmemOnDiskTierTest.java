// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.region.NumberedBlocks;
import dev.terrace.region.PathTierContract;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A persistent memory tier on a disk: the region log over a file that is not mapped. */
@Tag("long")
class PmemOnDiskTierTest extends PathTierContract {

  @TempDir Path path;

  @Override
  protected List<? extends Device> open(Path directory, int regions, int regionBytes)
      throws IOException {
    return openUnmapped(
        new PathSplit(
            PathSplit.even(List.of(directory), (long) regions * regionBytes), regionBytes));
  }

  private static List<Device> openUnmapped(PathSplit split) throws IOException {
    List<Device> devices = MappedDevice.openMapped(split);
    devices.forEach(device -> ((MappedDevice) device).useSystemCalls());
    return devices;
  }

  @Override
  protected boolean isMapped() {
    return false;
  }

  @Test
  void whatOneWayWroteTheOtherReads() throws Exception {
    PathSplit config =
        new PathSplit(PathSplit.even(List.of(path.resolve("c")), 16L << 16), 1 << 16);
    for (int round = 0; round < 4; round++) {
      List<Device> devices =
          round % 2 == 0 ? MappedDevice.openMapped(config) : openUnmapped(config);
      RegionTier<CountedBlock> tier =
          RegionTier.open(
              CountedBlockCodec.sharing(LeaseLedger.counting()),
              devices,
              RegionConfig.named("pmem", FILES));
      NumberedBlocks blocks = new NumberedBlocks(tier, "file", 10_000);
      ConditionFactory patiently = Awaitility.await();
      patiently.until(tier::isRecovered);
      int before = 4 * round;
      assertThat(blocks.readAll(0, before)).isEqualTo(before);
      for (int i = before; i < before + 4; i++) {
        int block = i;
        // No region may be ready yet.
        patiently.until(() -> blocks.putAll(block, block + 1) == 1);
      }
      tier.close();
      assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
    }
  }
}
