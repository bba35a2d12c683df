// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.RegionBytes;
import dev.terrace.region.folder.Specs;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device of more bytes than a buffer can have. */
@Tag("long")
class LargeMappingTest {

  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(16 << 20, 65 * 3);
  private static final int UNIT = 4096;

  @TempDir Path temporary;

  private Device open() throws IOException {
    return MappedDevice.open(
        Specs.of(temporary.resolve("cache"), DeviceKind.PMEM, GEOMETRY), Clock.systemUTC());
  }

  @Test
  void everyRegionIsItsOwn() throws IOException {
    assertThat(GEOMETRY.sizeBytes()).isGreaterThan(Integer.MAX_VALUE);
    assumeTrue(
        Files.getFileStore(temporary).getUsableSpace() > 2 * GEOMETRY.sizeBytes(),
        "7 GB of space are needed in " + temporary);
    int last = GEOMETRY.regionBytes() - UNIT;
    try (Device device = open()) {
      for (int region = 0; region < device.regions(); region++) {
        device.memory(region).put(0, RegionBytes.of(region, UNIT), 0, UNIT);
        RegionBytes.write(device, region, last, -region, UNIT);
        device.force(region, last, UNIT);
      }
    }
    assertThat(Files.size(temporary.resolve("cache/terrace/regions")))
        .isEqualTo(GEOMETRY.sizeBytes());
    try (Device device = open()) {
      assertThat(device.generation()).isEqualTo(2);
      for (int region = 0; region < device.regions(); region++) {
        RegionBytes.check(device, region, 0, region, UNIT);
        assertThat(device.memory(region).slice(last, UNIT))
            .isEqualTo(RegionBytes.of(-region, UNIT));
      }
    }
  }
}
