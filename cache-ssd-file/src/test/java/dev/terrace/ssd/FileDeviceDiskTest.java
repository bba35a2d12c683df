// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.RegionBytes;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.folder.SmallDisk;
import dev.terrace.region.folder.Specs;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file device does when its disk is full, shrinks, or has no direct I/O. */
class FileDeviceDiskTest {

  private static final int REGION = 1 << 20;

  @TempDir Path temporary;

  private static FileDevice open(Path path, int regions, boolean directIo) throws IOException {
    return FileDevice.open(
        Specs.of(path, DeviceKind.SSD, new DeviceGeometry(REGION, regions)),
        directIo,
        Clock.systemUTC());
  }

  @Test
  void aFullDiskStopsWritingAndNothingElse() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), 8L << 20)) {
      Path path = disk.directory();
      int written = 0;
      try (Device device = open(path, 32, false)) {
        IOException full = null;
        while (full == null) {
          try {
            RegionBytes.write(device, written, 0, written, REGION);
            written++;
          } catch (IOException e) {
            full = e;
          }
        }
        assertThat(written).isBetween(6, 7);
        assertThat(full)
            .hasMessageContaining("write failed: path=" + path)
            .hasMessageContaining("region=" + written)
            .hasMessageContaining("No space left");
        for (int region = 0; region < written; region++) {
          RegionBytes.check(device, region, 0, region, REGION);
          RegionBytes.write(device, region, 0, 100 + region, REGION);
        }
        RegionBytes.checkZero(device, 31);
      }
      try (Device device = open(path, 32, false)) {
        assertThat(device.generation()).as("opened on a full disk").isEqualTo(2);
        for (int region = 0; region < written; region++) {
          RegionBytes.check(device, region, 0, 100 + region, REGION);
        }
      }
    }
  }

  @Test
  void aFileCutOffWhileItIsOpenIsAnError() throws IOException {
    Path path = temporary.resolve("cache");
    try (Device device = open(path, 16, false)) {
      RegionBytes.write(device, 0, 0, 1, REGION);
      RegionsSpace.setLength(path.resolve("terrace/regions"), REGION + 10);
      RegionBytes.check(device, 0, 0, 1, REGION);
      assertThatThrownBy(() -> RegionBytes.read(device, 1, 0, REGION))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("read failed: path=" + path)
          .hasMessageContaining("region=1");
    }
  }

  @Test
  void withoutDirectIoItGoesThroughThePageCache() throws IOException {
    // A ramfs is the page cache, and takes no direct I/O.
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), "ramfs", "mode=700");
        FileDevice device = open(disk.directory(), 2, true)) {
      assertThat(device.isDirect()).isFalse();
      assertThat(device.alignmentBytes()).isEqualTo(1);
      assertThat(device.description()).contains("through the page cache");
      RegionBytes.write(device, 1, 3, 5, 77);
      RegionBytes.check(device, 1, 3, 5, 77);
    }
  }

  /** File systems in user space, and some emulators, report what they like. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1000, -4096, 1 << 20, 1L << 44, Long.MIN_VALUE, Long.MAX_VALUE})
  void oddBlocksMeanNoDirectIo(long blockBytes) {
    assertThatThrownBy(() -> FileDevice.alignmentBytes(blockBytes))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(String.valueOf(blockBytes));
  }

  @Test
  void directIoIsAlignedToPagesAtLeast() throws IOException {
    assertThat(FileDevice.alignmentBytes(512)).isEqualTo(4096);
    assertThat(FileDevice.alignmentBytes(16_384)).isEqualTo(16_384);
  }

  @Test
  void directIoIsAligned() throws IOException {
    try (FileDevice device = open(temporary.resolve("cache"), 2, true)) {
      int alignment = device.alignmentBytes();
      if (device.isDirect()) {
        assertThat(Integer.bitCount(alignment)).isEqualTo(1);
        assertThat(device.description()).contains("aligned to " + alignment);
        assertThatThrownBy(() -> RegionBytes.write(device, 0, 1, 5, alignment))
            .isInstanceOf(IOException.class);
      } else {
        assertThat(alignment).isEqualTo(1);
      }
      RegionBytes.write(device, 1, REGION - 4096, 5, 4096);
      RegionBytes.check(device, 1, REGION - 4096, 5, 4096);
    }
  }

  @Test
  void takesNoSpaceBeforeItIsWritten() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), 8L << 20)) {
      long before = disk.availableBytes();
      try (Device device = open(disk.directory(), 1024, false)) {
        assertThat(before - disk.availableBytes()).isLessThan(65536);
        assertThat(Files.size(disk.directory().resolve("terrace/regions")))
            .isEqualTo(1024L * REGION);
        assertThat(device.regions()).isEqualTo(1024);
      }
    }
  }
}
