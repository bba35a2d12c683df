// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PathStats;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.region.NumberedBlocks;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.folder.SmallDisk;
import dev.terrace.region.folder.UnopenedDevice;
import dev.terrace.region.folder.UnusablePathException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedDevicesTest {

  @TempDir Path temporary;

  @Test
  void opensAllPathsOrNone() throws IOException {
    List<Path> paths = List.of(temporary.resolve("a"), temporary.resolve("b"));
    Files.createFile(paths.get(1));
    PathSplit config = PathSplit.of(PathSplit.even(paths, 4 << 20));
    assertThatThrownBy(() -> MappedDevice.openAll(config))
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContaining("path=" + paths.get(1) + " is not a directory");
    Files.delete(paths.get(1));
    List<Device> devices = MappedDevice.openAll(config);
    assertThat(devices)
        .extracting(Device::path)
        .containsExactly(paths.get(0).toString(), paths.get(1).toString());
    assertThat(devices).extracting(Device::regions).containsExactly(16, 16);
    assertThat(devices).extracting(Device::generation).containsExactly(2L, 1L);
    devices.forEach(Device::close);
  }

  @Test
  void aTierInMemoryIsMappedBesideAPathThatCannotBeOpened() throws Exception {
    try (SmallDisk sick = SmallDisk.mount(temporary.resolve("sick"), 16 << 20);
        SmallDisk well = SmallDisk.mount(temporary.resolve("well"), 16 << 20)) {
      sick.setReadOnly(true);
      PathSplit config =
          PathSplit.of(PathSplit.even(List.of(sick.directory(), well.directory()), 8 << 20))
              .withoutSickPaths();
      List<Device> devices = MappedDevice.openAll(config);
      assertThat(devices.get(1).isMapped()).isTrue();
      assertThat(devices.get(0)).isInstanceOf(UnopenedDevice.class);
      RegionTier<CountedBlock> tier =
          RegionTier.open(
              CountedBlockCodec.sharing(LeaseLedger.counting()),
              devices,
              RegionConfig.named("sick", FILES));
      try {
        NumberedBlocks blocks = new NumberedBlocks(tier, "file", 10_000);
        for (int i = 0; i < 100; i++) {
          int number = i;
          Awaitility.await().until(() -> blocks.put(number) == PutOutcome.STORED);
        }
        assertThat(blocks.readAll(0, 100)).isEqualTo(100);
        assertThat(tier.stats().paths())
            .extracting(path -> path.now().state())
            .containsExactly(PathStats.State.OUT, PathStats.State.IN_SERVICE);
      } finally {
        tier.close();
        assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
      }
    }
  }
}
