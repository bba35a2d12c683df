// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.inspect;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Amount;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.FileUsage;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierCounters;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.RegionDevices;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionEpoch;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.format.Superblock.DeviceKind;
import dev.terrace.region.inspect.CacheInspection.RegionState;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CacheInspectionTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int REGIONS = 6;
  private static final int BLOCKS = 30;
  private static final int BLOCK_BYTES = 4000;
  private static final BlockTraits DATA = new BlockTraits(0, Residency.ORDINARY);
  private static final BlockTraits INDEX = new BlockTraits(2, Residency.PROTECTED);

  private final SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);

  private RegionTier<CountedBlock> open(DeviceKind kind) {
    RegionTier<CountedBlock> tier =
        new RegionTier<>(
            CountedBlockCodec.copying(LeaseLedger.counting()),
            List.of(new SimulatedDevice(disk, kind == DeviceKind.PMEM, 1)),
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            System::nanoTime);
    tier.start();
    return tier;
  }

  private static void put(
      RegionTier<CountedBlock> tier, String file, long offset, int bytes, BlockTraits traits) {
    assertThat(tier.put(file(file), offset, CountedBlock.of(file, offset, bytes), traits, 0))
        .isEqualTo(PutOutcome.STORED);
  }

  private static void fill(RegionTier<CountedBlock> tier) {
    for (int i = 0; i < BLOCKS; i++) {
      put(tier, "file" + i % 3, i * 5000L, BLOCK_BYTES, i == 0 ? INDEX : DATA);
    }
  }

  private static void stop(RegionTier<CountedBlock> tier) throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
  }

  private CacheInspection inspect(boolean everyBlock) {
    return new CacheInspection(new SimulatedDevice(disk, false, 1), everyBlock, done -> {});
  }

  /** The inspection has files of its own. */
  private static BlockKey named(BlockKey key) {
    return new BlockKey(file(key.file().name()), key.offset());
  }

  private static FileUsage named(FileUsage usage) {
    return new FileUsage(file(usage.file().name()), usage.blocks(), usage.payloadBytes());
  }

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void countsWhatARestartBringsBack(DeviceKind kind) throws InterruptedException {
    RegionTier<CountedBlock> tier = open(kind);
    fill(tier);
    tier.evict(file("file1"), 5000, 5000);
    put(tier, "file1", 5000, 2000, DATA);
    put(tier, "file9", 0, 4001, DATA);
    stop(tier);

    CacheInspection found = inspect(true);

    assertThat(found.damages()).isEmpty();
    assertThat(found.live()).isEqualTo(new Amount(BLOCKS, (BLOCKS - 1L) * BLOCK_BYTES + 2000));
    assertThat(found.dead()).isEqualTo(new Amount(2, BLOCK_BYTES + 4001));
    assertThat(found.rightBlocks()).isEqualTo(BLOCKS + 2);
    assertThat(found.files().stream().map(CacheInspectionTest::named))
        .containsExactly(
            new FileUsage(file("file0"), 10, 10L * BLOCK_BYTES),
            new FileUsage(file("file2"), 10, 10L * BLOCK_BYTES),
            new FileUsage(file("file1"), 10, 9L * BLOCK_BYTES + 2000));
    assertThat(named(found.oldest().orElseThrow().key())).isEqualTo(new BlockKey(file("file0"), 0));
    assertThat(named(found.newest().orElseThrow().key()))
        .isEqualTo(new BlockKey(file("file1"), 5000));
    assertThat(found.regions(RegionState.SEALED)).isEqualTo(3);
    assertThat(found.regions(RegionState.EMPTY)).isEqualTo(3);
    assertThat(inspect(false).live()).isEqualTo(found.live());
    assertThat(inspect(false).rightBlocks()).isZero();
  }

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void seesThatNothingIsThere(DeviceKind kind) throws InterruptedException {
    assertThat(inspect(true).regions(RegionState.EMPTY)).isEqualTo(REGIONS);
    stop(open(kind));
    CacheInspection found = inspect(true);
    assertThat(found.regions(RegionState.EMPTY)).isEqualTo(REGIONS);
    assertThat(found.live().blocks()).isZero();
    assertThat(found.files().stream().map(CacheInspectionTest::named)).isEmpty();
    assertThat(found.newest()).isEmpty();
    assertThat(found.damages()).isEmpty();
  }

  @Test
  void findsTheOpenRegionOfAKilledProcessOnMemory() {
    fill(open(DeviceKind.PMEM));
    disk.detach();

    CacheInspection found = inspect(true);

    assertThat(found.regions(RegionState.OPEN)).isEqualTo(1);
    assertThat(found.live().blocks()).isEqualTo(BLOCKS);
    assertThat(found.rightBlocks()).isEqualTo(BLOCKS);
    assertThat(found.damages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void namesTheBlockWhoseRecordIsDamaged(DeviceKind kind) throws InterruptedException {
    RegionTier<CountedBlock> tier = open(kind);
    fill(tier);
    stop(tier);
    int region = inspect(false).oldest().orElseThrow().region();
    int payload = RegionLayout.FIRST_RECORD + RecordLayout.headerBytes(5) + BLOCK_BYTES / 2;

    disk.flip(region, payload, 3);

    CacheInspection found = inspect(true);
    assertThat(found.damages())
        .singleElement()
        .isEqualTo(
            "region=%d position=%d file=file0 offset=0: corrupt payload"
                .formatted(region, RegionLayout.FIRST_RECORD));
    assertThat(found.rightBlocks()).isEqualTo(BLOCKS - 1);
    disk.flip(region, payload, 3);

    disk.flip(region, RegionLayout.FIRST_RECORD + RecordLayout.OFFSET, 0);
    assertThat(inspect(true).damages())
        .singleElement()
        .asString()
        .contains("file=file0 offset=0: corrupt record header");
  }

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void namesTheDamagedPartOfARegion(DeviceKind kind) throws InterruptedException {
    RegionTier<CountedBlock> tier = open(kind);
    fill(tier);
    stop(tier);
    int footer = RegionLayout.footerPosition(REGION_BYTES);
    int region = inspect(false).oldest().orElseThrow().region();

    assertDamaged(region, 33, "corrupt header");
    assertDamaged(region, footer + 1, "corrupt footer");
    assertDamaged(region, footer - 1, "table");
  }

  private void assertDamaged(int region, int position, String reason) {
    disk.flip(region, position, 5);
    for (boolean everyBlock : new boolean[] {false, true}) {
      CacheInspection found = inspect(everyBlock);
      assertThat(found.damages())
          .singleElement()
          .asString()
          .startsWith("region=" + region + " ")
          .contains(reason);
      assertThat(found.regions(RegionState.DAMAGED)).isEqualTo(1);
      // Memory has the records all the same; a file's are out of reach without the table.
      assertThat(found.live().blocks() == BLOCKS).isTrue();
    }
    disk.flip(region, position, 5);
  }

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void findsEachFlippedBitThatMatters(DeviceKind kind) throws InterruptedException {
    RegionTier<CountedBlock> tier = open(kind);
    fill(tier);
    stop(tier);
    assertFlipsAreFound();
  }

  @Tag("long")
  @Test
  void findsEachFlippedBitThatMattersInAnOpenRegion() {
    fill(open(DeviceKind.PMEM));
    disk.detach();
    assertFlipsAreFound();
  }

  private void assertFlipsAreFound() {
    SplittableRandom random = new SplittableRandom(20_261_121);
    int found = 0;
    for (int i = 0; i < 1000; i++) {
      int region = random.nextInt(REGIONS);
      int position = random.nextInt(REGION_BYTES);
      int bit = random.nextInt(8);
      disk.flip(region, position, bit);
      CacheInspection inspection = inspect(true);
      if (inspection.damages().isEmpty()) {
        assertThat(inspection.rightBlocks())
            .as("region=%d position=%d bit=%d", region, position, bit)
            .isEqualTo(BLOCKS);
      } else {
        found++;
      }
      disk.flip(region, position, bit);
    }
    assertThat(found).isGreaterThan(100);
  }

  @Test
  void tellsOfEachDamagedRecordOfAnOpenRegion() {
    RegionTier<CountedBlock> tier = open(DeviceKind.PMEM);
    put(tier, "file", 0, BLOCK_BYTES, DATA);
    put(tier, "file", 5000, BLOCK_BYTES, DATA);
    disk.detach();
    int region = inspect(false).newest().orElseThrow().region();
    int first = RecordLayout.recordBytes(4, BLOCK_BYTES);

    for (int record : new int[] {RegionLayout.FIRST_RECORD, RegionLayout.FIRST_RECORD + first}) {
      for (int field : new int[] {0, RecordLayout.RECORD_CHECK, RecordLayout.OFFSET}) {
        disk.flip(region, record + field, 0);
        CacheInspection found = inspect(false);
        assertThat(found.damages())
            .singleElement()
            .asString()
            .contains(" position=" + record + ": corrupt record");
        assertThat(found.live().blocks()).as("the other one").isEqualTo(1);
        disk.flip(region, record + field, 0);
      }
    }
  }

  @Test
  void tellsWhereTheRecordsOfAnOpenRegionEndTooEarly() {
    RegionTier<CountedBlock> tier = open(DeviceKind.PMEM);
    put(tier, "file", 0, BLOCK_BYTES, DATA);
    put(tier, "file", 5000, BLOCK_BYTES, DATA);
    disk.detach();
    int region = inspect(false).newest().orElseThrow().region();
    int first = RecordLayout.recordBytes(4, BLOCK_BYTES);

    disk.flip(region, RegionLayout.FIRST_RECORD + RecordLayout.SEQUENCE, 0);
    CacheInspection found = inspect(false);
    assertThat(found.damages())
        .singleElement()
        .asString()
        .contains("up to position=" + (RegionLayout.FIRST_RECORD + first));
    assertThat(found.live().blocks()).isZero();
  }

  @Test
  void findsARecordThatIsNotTheOneOfTheTable() throws InterruptedException {
    RegionTier<CountedBlock> tier = open(DeviceKind.SSD);
    fill(tier);
    stop(tier);
    int region = inspect(false).oldest().orElseThrow().region();
    ByteBuffer bytes = RecordLayout.littleEndian(disk.region(region));
    RegionEpoch life = RegionLayout.Header.read(bytes, disk.secret(), region).life();
    int first = RegionLayout.FIRST_RECORD;
    BlockRecord record = BlockRecord.read(bytes, first, life, first);
    byte[] name = BlockRecord.nameOf("file1");
    RegionTable.Entry other =
        new RegionTable.Entry(first, BLOCK_BYTES, "file1", 0, record.sequence(), DATA, true);
    BlockRecord.write(bytes, life, name, other, record.payloadCrc(), 0, 0);

    assertThat(inspect(true).damages())
        .singleElement()
        .asString()
        .contains("file=file0 offset=0", "not the record in the region's table: file=file1");
  }

  @Test
  void aRegionThatAKilledProcessWasMakingReadyIsNotDamaged() throws InterruptedException {
    RegionTier<CountedBlock> tier = open(DeviceKind.SSD);
    fill(tier);
    stop(tier);
    SimulatedDevice device = new SimulatedDevice(disk, false, 1);
    DeviceHealth health =
        new DeviceHealth("path", IoLimits.USUAL, System::nanoTime, new TierCounters());
    device.failOnce(1, new KilledError());
    assertThatThrownBy(() -> RegionDevices.buffered(device, health).prepare(0, null))
        .isInstanceOf(KilledError.class);

    CacheInspection found = inspect(true);

    assertThat(found.damages()).isEmpty();
    assertThat(found.rightBlocks()).isEqualTo(BLOCKS);
  }

  /** Stands for the end of the process. */
  private static final class KilledError extends Error {
    private static final long serialVersionUID = 1;
  }

  @Test
  void aDeviceThatFailsIsReported() throws InterruptedException {
    RegionTier<CountedBlock> tier = open(DeviceKind.SSD);
    fill(tier);
    stop(tier);
    CacheInspection found =
        new CacheInspection(new SimulatedDevice(disk, false, 1).readErrors(1), true, done -> {});
    assertThat(found.damages()).hasSize(REGIONS);
    assertThat(found.damages().get(0)).contains("Input/output error");
    assertThat(found.regions(RegionState.DAMAGED)).isEqualTo(REGIONS);
  }
}
