// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.ByteArrayCodec;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TestFiles;
import dev.terrace.pmem.MappedDevice;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.format.Superblock.DeviceKind;
import dev.terrace.ssd.FileDevice;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A small cache of 60 blocks in three files, on one path. */
public final class CacheOnDisk {

  static final int BLOCKS = 60;
  static final int REGION_BYTES = 64 << 10;

  private static final long SIZE_BYTES = 32L * REGION_BYTES;
  private static final int BLOCK_BYTES = 4000;

  private final Path path;

  public CacheOnDisk(Path path) {
    this.path = path;
  }

  public Path path() {
    return path;
  }

  public Path file(String name) {
    return path.resolve("terrace").resolve(name);
  }

  RegionTier<byte[]> open(DeviceKind kind) throws IOException {
    List<Path> paths = List.of(path);
    List<Device> devices =
        kind == DeviceKind.PMEM
            ? MappedDevice.openAll(new PathSplit(PathSplit.even(paths, SIZE_BYTES), REGION_BYTES))
            : FileDevice.openAll(
                new PathSplit(PathSplit.even(paths, SIZE_BYTES), REGION_BYTES), false);
    return RegionTier.open(new ByteArrayCodec(), devices, RegionConfig.named("test", FILES));
  }

  static void fill(RegionTier<byte[]> tier) {
    for (int i = 0; i < BLOCKS; i++) {
      String file = "file" + i % 3;
      long offset = i * 5000L;
      BlockTraits traits = new BlockTraits(i == 0 ? 4 : 0, Residency.ORDINARY);
      byte[] block = new byte[BLOCK_BYTES];
      block[0] = (byte) i;
      await()
          .pollDelay(Duration.ZERO)
          .until(
              () -> tier.put(TestFiles.file(file), offset, block, traits, 0) == PutOutcome.STORED);
    }
  }

  static void stop(RegionTier<byte[]> tier) throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
  }

  /** Fills it and stops it. */
  public void make(DeviceKind kind) throws IOException, InterruptedException {
    RegionTier<byte[]> tier = open(kind);
    fill(tier);
    stop(tier);
  }

  /** Changes one bit of a region. */
  void flip(int region, int position) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(file("regions").toFile(), "rw")) {
      long at = (long) region * REGION_BYTES + position;
      file.seek(at);
      int before = file.read();
      file.seek(at);
      file.write(before ^ 1);
    }
  }
}
