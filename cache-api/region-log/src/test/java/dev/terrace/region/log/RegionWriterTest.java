// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.TierCounters;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.RegionDevices;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.Sequence;
import dev.terrace.region.log.RegionWriter.Reservation;
import dev.terrace.region.memory.WriteBuffer;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RegionWriterTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int BLOCK = 100;

  /** Longer than a record's block. */
  private static final String FILE = "f".repeat(900);

  private static final BlockTraits TRAITS = new BlockTraits(1, BlockTraits.Residency.ORDINARY);

  private final Sequence sequence = new Sequence(1);

  /** An access to broken memory throws such an error. */
  @Test
  void afterAFaultTheTableStillHasItsRoom() {
    RegionWriter writer = newWriter();
    assertThatThrownBy(
            () ->
                writer.reserve(
                    FILE,
                    FILE.length(),
                    BLOCK,
                    sequence,
                    () -> {
                      throw new InternalError("as asked");
                    }))
        .isInstanceOf(InternalError.class);
    int records = 0;
    while (append(writer)) {
      records++;
    }
    assertThat(records).isPositive();
    assertThat(writer.end()).isTrue();
    RegionLayout.Seal seal = writer.writeTable(1, name -> "");
    assertThat(seal.tableStart()).isGreaterThanOrEqualTo(seal.recordsEnd());
  }

  private boolean append(RegionWriter writer) {
    Reservation room = writer.reserve(FILE, FILE.length(), BLOCK, sequence, System::nanoTime);
    if (room == null) {
      return false;
    }
    byte[] name = BlockRecord.nameOf(FILE);
    room.keep(room.finish(name, 0, room.payloadCrc(), 0, 0, TRAITS), BLOCK);
    return true;
  }

  private RegionWriter newWriter() {
    SimulatedDevice device = new SimulatedDevice(new SimulatedDisk(1, REGION_BYTES), false, 1);
    DeviceHealth health =
        new DeviceHealth(device.path(), IoLimits.USUAL, System::nanoTime, new TierCounters());
    RegionDevice io = RegionDevices.buffered(device, health);
    Region region =
        new TierRegions()
            .add(0, 1, (number, slot) -> new Region(number, slot, io, new Unread()))
            .get(0);
    region.begin(sequence.next());
    WriteBuffer buffer = new WriteBuffer(ByteBuffer.allocateDirect(REGION_BYTES), bytes -> {});
    return new RegionWriter(region, buffer, REGION_BYTES, full -> {});
  }

  /** Nobody reads the region. */
  private static final class Unread implements Region.Listener {

    @Override
    public void drained(Region region) {}

    @Override
    public void live(int recordBytes) {}

    @Override
    public void emptied(Region region) {}

    @Override
    public boolean copiesHits() {
      return false;
    }
  }
}
