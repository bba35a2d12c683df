// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.TierCounters;
import dev.terrace.region.device.BufferedRegionDevice;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.memory.DirectMemory;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The live bytes of regions, and those of them that are worth something after a restart. */
class ResidentsTest {

  private static final BlockTraits TRAITS = new BlockTraits(1, BlockTraits.Residency.ORDINARY);

  /** Blocks of some files come, move and leave, and files are claimed: the counts are right. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aRegionIsWorthItsBlocksOfClaimedFiles(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RegionIndex index = new RegionIndex(DirectMemory.JVM);
    TierCounters counters = new TierCounters();
    TierRegions numbers = new TierRegions();
    LogContext context =
        new LogContext(
            () -> 1,
            counters,
            new AtomicBoolean(),
            IoLimits.USUAL,
            FILES,
            ExpiringBlocks.NONE,
            false,
            Duration.ZERO);
    SimulatedDevice device = new SimulatedDevice(new SimulatedDisk(2, 64 << 10), false, 1);
    DeviceHealth health = new DeviceHealth(device.path(), IoLimits.USUAL, () -> 1, counters);
    BufferedRegionDevice io =
        new BufferedRegionDevice(device, health, null, DirectMemory.JVM, Runnable::run);
    List<Region> regions = List.of(new DeviceLog(io, numbers, context, () -> {}).regions());
    Residents residents =
        new Residents(index, numbers, Residents.SharedObjects.NONE, () -> 0, context);
    Map<String, Map<Long, Long>> present = new HashMap<>();
    Set<String> claimed = new HashSet<>();
    for (int step = 0; step < 2_000; step++) {
      String file = "file" + random.nextInt(4);
      long offset = random.nextInt(6);
      Map<Long, Long> blocks = present.computeIfAbsent(file, absent -> new HashMap<>());
      int position = RecordLayout.align(1024 * (1 + random.nextInt(30)), 8);
      long to = BlockAddress.of(random.nextInt(2), position, 100 + 8 * (int) offset);
      int recordBytes =
          RecordLayout.recordBytes(RecordLayout.utf8Bytes(file), BlockAddress.payloadBytes(to));
      RegionTable.Entry entry =
          new RegionTable.Entry(
              position, BlockAddress.payloadBytes(to), file, offset, step, TRAITS, true);
      boolean isNewFile = blocks.isEmpty();
      switch (random.nextInt(7)) {
        case 0 -> {
          if (residents.recover(file(file), entry, to)) {
            blocks.put(offset, to);
          }
        }
        case 1 -> {
          if (residents.add(file(file), entry, to, recordBytes)) {
            blocks.put(offset, to);
            if (isNewFile) {
              claimed.add(file);
            }
          }
        }
        case 2 -> {
          boolean isClaimed = random.nextBoolean();
          residents.claim(file(file), isClaimed);
          if (!isClaimed) {
            claimed.remove(file);
          } else if (!blocks.isEmpty()) {
            claimed.add(file);
          }
        }
        case 3 -> {
          Long from = blocks.get(offset);
          if (from != null && residents.move(file(file), offset, from, to)) {
            blocks.put(offset, to);
          }
        }
        case 4 -> {
          Long at = blocks.remove(offset);
          if (at != null) {
            residents.drop(file(file), offset, at, EvictionCause.SIZE);
          }
        }
        case 5 -> {
          residents.evict(file(file), offset, offset + random.nextInt(2), EvictionCause.KEY);
          blocks.keySet().removeIf(key -> index.address(file(file), key) == BlockAddress.NONE);
        }
        default -> {
          if (random.nextInt(10) == 0) {
            residents.evict(file(file), 0, RecordLayout.MAX_OFFSET, EvictionCause.FILE);
            blocks.clear();
          }
        }
      }
      if (blocks.isEmpty()) {
        claimed.remove(file);
      }
      for (Region region : regions) {
        long valuedBytes = 0;
        for (String each : claimed) {
          for (long address : present.get(each).values()) {
            if (BlockAddress.region(address) == region.number) {
              valuedBytes +=
                  RecordLayout.recordBytes(
                      RecordLayout.utf8Bytes(each), BlockAddress.payloadBytes(address));
            }
          }
        }
        assertThat(region.valuedBytes()).as("step %d", step).isEqualTo(valuedBytes);
      }
    }
  }
}
