// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TestEffort;
import dev.terrace.api.TestFiles;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Regions that were damaged while nobody looked: every block is right or a miss, each miss has a
 * count, and the tier goes on.
 */
class RegionFuzzTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int REGIONS = 3;
  private static final int BLOCK = 2_000;
  private static final int BLOCKS = 8;
  private static final int FILES = 2;

  /** What only a region without a table needs of a record. */
  private static final int ROOM_BYTES = RecordLayout.RECORD_CHECK - RecordLayout.ROOM_BYTES;

  private LeaseLedger ledger;
  private SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
  private long now;

  private RegionTier<CountedBlock> open(boolean mapped) {
    ledger = LeaseLedger.counting();
    TestFiles.forgetAll();
    RegionTier<CountedBlock> tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(new SimulatedDevice(disk, mapped, 1)),
            RegionConfig.named("fuzz", TestFiles.FILES),
            path -> Runnable::run,
            () -> now);
    tier.start();
    return tier;
  }

  private void close(RegionTier<CountedBlock> tier) throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private static NumberedBlocks blocks(RegionTier<CountedBlock> tier, String file) {
    return new NumberedBlocks(tier, file, BLOCK);
  }

  /** Fills one region: even numbers are blocks of one file, odd ones of the other. */
  private void fillRegion(boolean mapped) throws InterruptedException {
    RegionTier<CountedBlock> tier = open(mapped);
    for (int i = 0; i < BLOCKS; i++) {
      assertThat(blocks(tier, "file-" + i % FILES).put(i)).isEqualTo(PutOutcome.STORED);
    }
    close(tier);
  }

  /** The one region with a footer. */
  private int sealedRegion() {
    for (int region = 0; region < REGIONS; region++) {
      if (disk.region(region).getLong(RegionLayout.footerPosition(REGION_BYTES)) != 0) {
        return region;
      }
    }
    throw new AssertionError("no region was sealed");
  }

  private static int readAll(RegionTier<CountedBlock> tier) {
    int found = 0;
    for (int i = 0; i < BLOCKS; i++) {
      found += blocks(tier, "file-" + i % FILES).read(i) ? 1 : 0;
    }
    return found;
  }

  private static long faults(RegionTier<CountedBlock> tier) {
    return tier.stats().events().faults().values().stream().mapToLong(Long::longValue).sum();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void everyFlippedByteOfTheStructuresIsAMissAndACount(boolean mapped) throws InterruptedException {
    fillRegion(mapped);
    Layout layout = new Layout();
    int missed = 0;
    for (int i = 0; i < layout.structures.size(); i += TestEffort.step()) {
      int at = layout.structures.get(i);
      layout.restore();
      disk.flip(layout.region, at, at % 8);
      RegionTier<CountedBlock> tier = open(mapped);
      int found = readAll(tier);
      if (found < BLOCKS) {
        assertThat(faults(tier)).as("counts of what byte %d spoiled", at).isPositive();
        missed++;
      }
      if (at % 16 == 0) {
        assertThat(blocks(tier, "new").put(at)).isEqualTo(PutOutcome.STORED);
        assertThat(blocks(tier, "new").read(at)).isTrue();
      }
      crash(tier);
    }
    assertThat(missed)
        .as("bytes that matter")
        .isGreaterThan(BLOCKS * (RecordLayout.NAME - ROOM_BYTES) / TestEffort.step());
  }

  /** One byte in each payload at a time, so that all of them have their turn in few openings. */
  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void everyFlippedByteOfAPayloadIsAMissOfThatBlockAndACount(boolean mapped)
      throws InterruptedException {
    fillRegion(mapped);
    Layout layout = new Layout();
    for (int at = 0; at < BLOCK; at += TestEffort.step()) {
      layout.restore();
      Set<Integer> spoiled = new HashSet<>();
      for (int i = 0; i < BLOCKS; i++) {
        if ((at + i) % 3 != 0) {
          disk.flip(layout.region, layout.payloads.get(i) + at, (at + i) % 8);
          spoiled.add(i);
        }
      }
      RegionTier<CountedBlock> tier = open(mapped);
      for (int i = 0; i < BLOCKS; i++) {
        assertThat(blocks(tier, "file-" + i % FILES).read(i))
            .as("block %d, byte %d", i, at)
            .isEqualTo(!spoiled.contains(i));
      }
      assertThat(tier.stats().events().faults())
          .isEqualTo(Map.of(TierFault.CORRUPT_BLOCK, (long) spoiled.size()));
      crash(tier);
    }
  }

  /** All bytes that mean nothing, at once, and all of the regions that hold nothing, one by one. */
  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void flippedBytesElsewhereHarmNoBlock(boolean mapped) throws InterruptedException {
    fillRegion(mapped);
    Layout layout = new Layout();
    for (int bit = 0; bit < 8; bit++) {
      layout.restore();
      for (int at : layout.others) {
        disk.flip(layout.region, at, bit);
      }
      RegionTier<CountedBlock> tier = open(mapped);
      assertThat(readAll(tier)).isEqualTo(BLOCKS);
      assertThat(faults(tier)).isZero();
      crash(tier);
    }
    int batch = 64;
    for (int at = 0; at < REGION_BYTES; at += batch) {
      layout.restore();
      for (int i = 0; i < batch; i++) {
        disk.flip((layout.region + 1) % REGIONS, at + i, i % 8);
        disk.flip((layout.region + 2) % REGIONS, at + i, (i + 3) % 8);
      }
      RegionTier<CountedBlock> tier = open(mapped);
      assertThat(readAll(tier)).as("empty regions damaged from byte %d on", at).isEqualTo(BLOCKS);
      crash(tier);
    }
  }

  /** What the bytes of the one sealed region are. */
  private final class Layout {

    private final int region = sealedRegion();
    private final byte[] sealed = new byte[REGION_BYTES];
    private final List<byte[]> rest = new ArrayList<>();
    private final List<Integer> payloads = new ArrayList<>();
    private final List<Integer> structures = new ArrayList<>();
    private final List<Integer> others = new ArrayList<>();

    Layout() {
      disk.region(region).get(0, sealed);
      for (int i = 0; i < REGIONS; i++) {
        byte[] bytes = new byte[REGION_BYTES];
        disk.region(i).get(0, bytes);
        rest.add(bytes);
      }
      int footerAt = RegionLayout.footerPosition(REGION_BYTES);
      ByteBuffer bytes = RecordLayout.littleEndian(disk.region(region));
      RegionLayout.Footer footer =
          RegionLayout.Footer.read(
              RecordLayout.littleEndian(bytes.slice(footerAt, RegionLayout.FOOTER_BYTES)),
              disk.secret(),
              region);
      BitSet known = new BitSet();
      int at = RegionLayout.FIRST_RECORD;
      for (int i = 0; i < BLOCKS; i++) {
        BlockRecord record = BlockRecord.read(bytes, at, footer.life(), at);
        int headerBytes = RecordLayout.headerBytes(RecordLayout.utf8Bytes(record.file()));
        payloads.add(at + headerBytes);
        known.set(at + headerBytes, at + headerBytes + BLOCK);
        add(structures, at, at + headerBytes);
        at += record.recordBytes();
      }
      add(structures, 0, RegionLayout.FIRST_RECORD);
      add(structures, footerAt - footer.tableBytes(), REGION_BYTES);
      structures.forEach(known::set);
      for (int i = known.nextClearBit(0); i < REGION_BYTES; i = known.nextClearBit(i + 1)) {
        others.add(i);
      }
      assertThat(structures.size() + BLOCKS * BLOCK + others.size()).isEqualTo(REGION_BYTES);
    }

    private void add(List<Integer> list, int from, int to) {
      for (int i = from; i < to; i++) {
        list.add(i);
      }
    }

    void restore() {
      for (int i = 0; i < REGIONS; i++) {
        disk.region(i).put(0, rest.get(i));
      }
    }
  }

  /** Leaves a tier behind as a kill does: what it wrote since is undone by the next round. */
  private void crash(RegionTier<CountedBlock> tier) {
    assertThat(tier.stats().leases().bytes()).isZero();
    ledger.assertNoViolations();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void regionsThatChangedPlacesAreNotTaken(boolean mapped) throws InterruptedException {
    fillRegion(mapped);
    int region = sealedRegion();
    int other = (region + 1) % REGIONS;
    byte[] sealed = new byte[REGION_BYTES];
    disk.region(region).get(0, sealed);
    disk.region(region).put(0, new byte[REGION_BYTES]);
    disk.region(other).put(0, sealed);
    RegionTier<CountedBlock> tier = open(mapped);
    assertThat(readAll(tier)).isZero();
    assertThat(faults(tier)).isPositive();
    close(tier);
  }
}
