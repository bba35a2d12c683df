// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes in blocks never pass for what the cache wrote, wherever a process is killed. */
class ForgedBytesTest {

  private static final int REGIONS = 6;
  private static final int REGION_BYTES = 64 << 10;
  private static final int FORGED_BYTES = 30_000;

  private final ForgedBytes.Codec codec = new ForgedBytes.Codec();
  private SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);

  private RegionTier<byte[]> open(boolean mapped) {
    RegionTier<byte[]> tier =
        new RegionTier<>(
            codec,
            List.of(new SimulatedDevice(disk, mapped, 1)),
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            System::nanoTime);
    tier.start();
    return tier;
  }

  private byte[] forged(int number) {
    int slot = number % REGIONS;
    return ForgedBytes.block(disk.region(slot), slot, FORGED_BYTES);
  }

  /** What a restart finds: genuine blocks, forged ones as they were put, and nothing else. */
  private void assertOnlyGenuine(boolean mapped, int from, int to, int least) {
    disk.detach();
    RegionTier<byte[]> tier = open(mapped);
    assertThat(tier.get(file(ForgedBytes.VICTIM), 0, Access.CACHING)).isNull();
    assertThat(tier.stats().events().faults()).isEmpty();
    int found = 0;
    for (int i = from; i < to; i++) {
      byte[] block = tier.get(file(ForgedBytes.file(i)), 0, Access.CACHING);
      if (block != null) {
        assertThat(block).isEqualTo(ForgedBytes.genuine(i));
        found++;
      }
    }
    assertThat(found).isBetween(least, to - from);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void ofRegionsThatAreUsedAgainNeverCount(boolean mapped) {
    int forgeries = 5 * REGIONS;
    for (int genuine = 0; genuine < 60; genuine++) {
      disk = new SimulatedDisk(REGIONS, REGION_BYTES);
      RegionTier<byte[]> tier = open(mapped);
      for (int i = 0; i < forgeries; i++) {
        ForgedBytes.put(tier, ForgedBytes.file(i), forged(i));
      }
      for (int i = forgeries; i < forgeries + genuine; i++) {
        ForgedBytes.put(tier, ForgedBytes.file(i), ForgedBytes.genuine(i));
      }
      assertOnlyGenuine(mapped, forgeries, forgeries + genuine, mapped ? genuine : 0);
    }
  }

  /** The forged records know the very life in which they lie. */
  @Test
  void ofRoomThatWasGivenUpNeverCount() {
    for (int genuine = 1; genuine < 30; genuine++) {
      disk = new SimulatedDisk(REGIONS, REGION_BYTES);
      RegionTier<byte[]> tier = open(true);
      ForgedBytes.put(tier, ForgedBytes.file(0), ForgedBytes.genuine(0));
      for (int i = 1; i <= genuine; i++) {
        codec.failing(true);
        for (int slot = 0; slot < REGIONS; slot++) {
          assertThat(tier.put(file("failing"), 0, forged(slot), ForgedBytes.TRAITS, 0))
              .isEqualTo(PutOutcome.BAD_BLOCK);
          codec.failing(false);
          assertThat(
                  tier.put(
                      file(ForgedBytes.file(1000 + i)), slot, new byte[1], ForgedBytes.TRAITS, 0))
              .isEqualTo(PutOutcome.STORED);
          codec.failing(true);
        }
        codec.failing(false);
        ForgedBytes.put(tier, ForgedBytes.file(i), ForgedBytes.genuine(i));
      }
      assertOnlyGenuine(true, 0, genuine + 1, genuine + 1);
    }
  }
}
