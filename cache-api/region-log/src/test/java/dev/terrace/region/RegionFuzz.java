// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.TestFiles;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.MendedChecks;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.inspect.CacheInspection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Recovery and inspection of regions whose bytes were changed. An input begins with a byte of
 * flags: whether the device is mapped, which checks are mended, and how blocks are compressed.
 * Changes follow: the region (1 byte), the position (2), how many bytes less 1 (1, modulo 16), and
 * the bytes.
 */
public final class RegionFuzz {

  private static final int REGION_BYTES = 64 << 10;
  private static final int REGIONS = 3;
  private static final int BLOCK = 2_000;
  private static final int BLOCKS = 8;
  private static final int NEW_BLOCKS = 30;

  private static final int IS_MAPPED = 1;
  private static final int MEND_HEADER = 2;
  private static final int MEND_FOOTER = 4;
  private static final int MEND_RECORDS = 8;
  private static final int LZ4 = 16;
  private static final int ZSTD = 32;
  private static final int MENDS = MEND_HEADER | MEND_FOOTER | MEND_RECORDS;

  /** A sealed region, and one that a kill left open. */
  private static final Map<Compression, SimulatedDisk> WRITTEN =
      Arrays.stream(Compression.values())
          .collect(Collectors.toMap(each -> each, RegionFuzz::written));

  private static SimulatedDisk disk = WRITTEN.get(Compression.NONE).copy();
  private static int runsOfDisk;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final boolean isForged;
  private final RegionTier<CountedBlock> tier;

  private RegionFuzz(SimulatedDisk disk, int flags) {
    isForged = (flags & MENDS) != 0;
    tier = open(disk, (flags & IS_MAPPED) != 0, compression(flags), ledger);
  }

  private static Compression compression(int flags) {
    return (flags & LZ4) != 0
        ? Compression.LZ4
        : (flags & ZSTD) != 0 ? Compression.ZSTD : Compression.NONE;
  }

  private static RegionTier<CountedBlock> open(
      SimulatedDisk disk, boolean isMapped, Compression compression, LeaseLedger ledger) {
    TestFiles.forgetAll();
    RegionTier<CountedBlock> tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(new SimulatedDevice(disk, isMapped, 1)),
            RegionConfig.named("fuzz", FILES).withCompression(compression),
            path -> Runnable::run,
            () -> 0);
    tier.start();
    return tier;
  }

  private static SimulatedDisk written(Compression compression) {
    SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
    RegionTier<CountedBlock> sealed = open(disk, true, compression, LeaseLedger.counting());
    putAll(sealed);
    sealed.close();
    RegionTier<CountedBlock> killed = open(disk, true, compression, LeaseLedger.counting());
    putAll(killed);
    return disk.copy();
  }

  private static void putAll(RegionTier<CountedBlock> tier) {
    for (int i = 0; i < BLOCKS; i++) {
      assertThat(new NumberedBlocks(tier, file(i), BLOCK).put(i).isPresent()).isTrue();
    }
  }

  private static String file(int number) {
    return "file-" + number % 2;
  }

  /** Changes the regions and opens a tier of them. */
  public static void fuzzerTestOneInput(byte[] input) throws InterruptedException {
    if (input.length == 0) {
      return;
    }
    int flags = input[0];
    SimulatedDisk written = WRITTEN.get(compression(flags));
    restore(written);
    change(ByteBuffer.wrap(input).position(1));
    for (int region = 0; region < REGIONS; region++) {
      mend(RecordLayout.littleEndian(disk.region(region)), flags);
    }
    inspect();
    RegionFuzz fuzz = new RegionFuzz(disk, flags);
    fuzz.readAll();
    fuzz.goOn();
    fuzz.close();
  }

  /** Takes a new disk now and then: generations are not without end. */
  private static void restore(SimulatedDisk written) {
    if (++runsOfDisk % 100_000 == 0) {
      disk = written.copy();
    }
    for (int region = 0; region < REGIONS; region++) {
      disk.region(region).put(0, written.region(region), 0, REGION_BYTES);
    }
  }

  private static void change(ByteBuffer changes) {
    while (changes.remaining() > 4) {
      int region = Byte.toUnsignedInt(changes.get()) % REGIONS;
      int position = Short.toUnsignedInt(changes.getShort());
      int count = Byte.toUnsignedInt(changes.get()) % 16 + 1;
      for (int i = 0; i < count && changes.hasRemaining() && position + i < REGION_BYTES; i++) {
        disk.region(region).put(position + i, changes.get());
      }
    }
  }

  private static void mend(ByteBuffer region, int flags) {
    MendedChecks checks = new MendedChecks(region, disk.secret());
    if ((flags & MEND_HEADER) != 0) {
      checks.header();
    }
    if ((flags & MEND_RECORDS) != 0) {
      checks.records();
    }
    if ((flags & MEND_FOOTER) != 0) {
      checks.footer();
    }
  }

  private static void inspect() {
    CacheInspection inspection =
        new CacheInspection(new SimulatedDevice(disk, false, 1), true, regions -> {});
    long all = inspection.live().blocks() + inspection.dead().blocks();
    assertThat(inspection.rightBlocks()).isBetween(0L, all);
  }

  /** Each block is right, or a miss. Who has the secret may give a block other bytes. */
  private void readAll() {
    for (int i = 0; i < BLOCKS; i++) {
      CountedBlock block = tier.get(TestFiles.file(file(i)), i, Access.CACHING);
      if (block != null) {
        if (!isForged) {
          new NumberedBlocks(tier, file(i), BLOCK).check(i, block);
        }
        block.release();
      }
    }
  }

  private void goOn() {
    NumberedBlocks blocks = new NumberedBlocks(tier, "later", BLOCK);
    for (int i = 0; i < NEW_BLOCKS; i++) {
      assertThat(blocks.put(i).isPresent()).isTrue();
    }
    assertThat(blocks.read(NEW_BLOCKS - 1)).isTrue();
  }

  private void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }
}
