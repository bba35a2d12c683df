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
import dev.terrace.region.format.RegionTable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where files belong is known again after a restart. */
class FileOriginsTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int BLOCK = 10_000;

  private SimulatedDisk disk = new SimulatedDisk(12, REGION_BYTES);
  private final LeaseLedger ledger = LeaseLedger.counting();
  private final Map<String, String> told = new HashMap<>();
  private RegionTier<CountedBlock> tier;

  @BeforeEach
  void receive() {
    FILES.whenRecovered(
        (file, origin) -> {
          assertThat(tier.blockCount()).isPositive();
          assertThat(told.put(file.name(), origin)).as("told before").isIn(null, origin);
        });
  }

  private void open(boolean mapped) {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(new SimulatedDevice(disk, mapped, 1)),
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            () -> 1);
    tier.start();
  }

  private int put(String file, int blocks) {
    return new NumberedBlocks(tier, file, BLOCK).putAll(0, blocks);
  }

  @AfterEach
  void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertAllReleased();
  }

  @Test
  void comeBackWithTheBlocksOfTheirFiles() throws InterruptedException {
    for (boolean mapped : new boolean[] {true, false}) {
      file("known").setOrigin("region and table, \u00e4");
      open(mapped);
      assertThat(put("known", 8) + put("unknown", 2)).isEqualTo(10);
      close();
      told.clear();
      open(mapped);
      assertThat(tier.usage(file("known")).blocks()).isEqualTo(8);
      assertThat(tier.usage(file("unknown")).blocks()).isEqualTo(2);
      assertThat(told).isEqualTo(Map.of("known", "region and table, \u00e4"));
      close();
      disk = new SimulatedDisk(12, REGION_BYTES);
    }
  }

  @Test
  void ofAnyLengthNeverNeedTheRoomOfBlocks() throws InterruptedException {
    String fits = "f".repeat(RegionTable.ORIGIN_ROOM_BYTES);
    String longest = "l".repeat(RegionTable.MAX_ORIGIN_BYTES);
    for (int file = 0; file < 100; file++) {
      file("file" + file).setOrigin(file % 3 == 0 ? fits : file % 3 == 1 ? longest : longest + "!");
    }
    open(false);
    for (int file = 0; file < 100; file++) {
      assertThat(new NumberedBlocks(tier, "file" + file, 300).putAll(0, 2)).isEqualTo(2);
    }
    close();
    open(false);
    assertThat(tier.blockCount()).isEqualTo(200);
    for (int file = 0; file < 100; file++) {
      String origin = told.get("file" + file);
      if (file % 3 == 0) {
        assertThat(origin).isEqualTo(fits);
      } else {
        assertThat(origin).isIn(null, file % 3 == 1 ? longest : null);
      }
    }
    assertThat(told).containsValue(longest);
  }
}
