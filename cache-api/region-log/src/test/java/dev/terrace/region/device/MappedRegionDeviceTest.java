// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Poison;
import dev.terrace.api.TierCounters;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.RegionEpoch;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.memory.DirectMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class MappedRegionDeviceTest {

  private static final int REGION_BYTES = DeviceGeometry.MIN_REGION_BYTES;

  private static ByteBuffer prepared(boolean poison) throws IOException {
    try (Device disk = new SimulatedDevice(new SimulatedDisk(2, REGION_BYTES), true, 1)) {
      TierCounters counters = new TierCounters();
      MappedRegionDevice device =
          new MappedRegionDevice(
              disk,
              new DeviceHealth(disk.path(), IoLimits.USUAL, System::nanoTime, counters),
              DirectMemory.JVM,
              Runnable::run,
              poison);
      ByteBuffer memory = device.memory(1);
      for (int i = 0; i < REGION_BYTES; i++) {
        memory.put(i, (byte) 7);
      }
      RegionLayout.Header header =
          new RegionLayout.Header(1, RegionEpoch.begin(disk.secret()), 1L << 40, 1);
      device.prepare(1, header);
      assertThat(RegionLayout.Header.read(memory, disk.secret(), 1)).isEqualTo(header);
      return memory;
    }
  }

  private static byte[] records(ByteBuffer region) {
    byte[] records =
        new byte[RegionLayout.footerPosition(REGION_BYTES) - RegionLayout.HEADER_BYTES];
    region.get(RegionLayout.HEADER_BYTES, records);
    return records;
  }

  @Test
  void poisonOverwritesTheRecordsOfARegionThatIsUsedAgain() throws IOException {
    assertThat(records(prepared(true))).containsOnly(Poison.PATTERN);
  }

  @Test
  void withoutPoisonTheyStayUntilOthersAreWritten() throws IOException {
    assertThat(records(prepared(false))).containsOnly(7);
  }
}
