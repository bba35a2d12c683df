// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.RegionBytes;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.folder.SmallDisk;
import dev.terrace.region.folder.Specs;
import dev.terrace.region.folder.UnusablePathException;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.CacheSecret;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the space of a mapped device comes from. */
class MappedSpaceTest {

  private static final int REGION = 1 << 20;
  private static final long DISK_BYTES = 64L << 20;

  @TempDir Path temporary;

  private static MappedDevice open(Path path, int regions) throws IOException {
    return MappedDevice.open(
        Specs.of(path, DeviceKind.PMEM, new DeviceGeometry(REGION, regions)), Clock.systemUTC());
  }

  private static void touchAll(Device device) throws IOException {
    for (int region = 0; region < device.regions(); region++) {
      device.memory(region).put(RegionBytes.of(region, REGION));
      device.force(region, 0, REGION);
    }
    for (int region = 0; region < device.regions(); region++) {
      assertThat(device.memory(region).mismatch(RegionBytes.of(region, REGION))).isEqualTo(-1);
    }
  }

  @Test
  void allOfItIsTakenAtOnce() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), DISK_BYTES)) {
      long before = disk.availableBytes();
      try (Device device = open(disk.directory(), 40)) {
        assertThat(before - disk.availableBytes()).isBetween(40L * REGION, 40L * REGION + 65536);
        touchAll(device);
      }
    }
  }

  @Test
  void aDiskThatIsTooSmallIsAnErrorAtTheStart() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), DISK_BYTES)) {
      long before = disk.availableBytes();
      assertThatThrownBy(() -> open(disk.directory(), 65))
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining("path=" + disk.directory())
          .hasMessageContaining("wanted=" + 65L * REGION)
          .hasMessageContaining("available=6")
          .hasMessageContaining("make the tier smaller");
      assertThat(before - disk.availableBytes()).isLessThan(65536);
      try (Device device = open(disk.directory(), 60)) {
        assertThat(device.generation()).isEqualTo(1);
        touchAll(device);
      }
    }
  }

  @Test
  void growingBeyondTheDiskLeavesItAsItWas() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), DISK_BYTES)) {
      CacheSecret id;
      try (Device device = open(disk.directory(), 30)) {
        id = device.secret();
        touchAll(device);
      }
      long before = disk.availableBytes();
      assertThatThrownBy(() -> open(disk.directory(), 70))
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining("wanted=" + 70L * REGION);
      assertThat(disk.availableBytes()).isEqualTo(before);
      try (Device device = open(disk.directory(), 30)) {
        assertThat(device.secret()).isEqualTo(id);
        assertThat(device.memory(29).mismatch(RegionBytes.of(29, REGION))).isEqualTo(-1);
      }
    }
  }

  @Test
  void anOpenDeviceTakesAndGivesBackSpace() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), DISK_BYTES);
        Device device = open(disk.directory(), 30)) {
      touchAll(device);
      long before = disk.availableBytes();
      assertThatThrownBy(() -> device.resize(70))
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining("wanted=" + 70L * REGION);
      assertThat(disk.availableBytes()).isEqualTo(before);
      assertThat(device.regions()).isEqualTo(30);
      device.resize(50);
      assertThat(before - disk.availableBytes()).isGreaterThanOrEqualTo(20L * REGION);
      touchAll(device);
      device.resize(10);
      assertThat(disk.availableBytes() - before).isGreaterThanOrEqualTo(20L * REGION);
      for (int region = 0; region < 10; region++) {
        assertThat(device.memory(region).mismatch(RegionBytes.of(region, REGION))).isEqualTo(-1);
      }
    }
  }

  /** The length is right, and says nothing: the disk lacks what the holes need. */
  @Test
  void holesAreFoundBeforeTheyAreMapped() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), DISK_BYTES)) {
      CacheSecret id;
      try (Device device = open(disk.directory(), 50)) {
        id = device.secret();
        touchAll(device);
      }
      Path regions = disk.directory().resolve("terrace/regions");
      byte[] first = Files.readAllBytes(regions);
      RegionsSpace.setLength(regions, 0);
      try (RandomAccessFile file = new RandomAccessFile(regions.toFile(), "rw")) {
        file.write(first, 0, REGION);
        file.setLength(50L * REGION);
      }
      Path ballast = disk.directory().resolve("ballast");
      Files.write(ballast, new byte[40 * REGION]);
      assertThatThrownBy(() -> open(disk.directory(), 50))
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining("cannot reserve its space")
          .hasMessageContaining("wanted=" + 50L * REGION);
      Files.delete(ballast);
      try (Device device = open(disk.directory(), 50)) {
        assertThat(device.secret()).isEqualTo(id);
        assertThat(device.memory(0).mismatch(RegionBytes.of(0, REGION))).isEqualTo(-1);
        assertThat(DISK_BYTES - disk.availableBytes()).isGreaterThanOrEqualTo(50L * REGION);
        touchAll(device);
      }
    }
  }

  @Test
  void aFullDiskIsAnErrorOnAnyFileSystem() {
    long wanted = 1L << 50;
    DeviceGeometry huge = new DeviceGeometry(64 << 20, (int) (wanted >> 26));
    Path path = temporary.resolve("cache");
    assertThatThrownBy(
            () -> MappedDevice.open(Specs.of(path, DeviceKind.PMEM, huge), Clock.systemUTC()))
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContaining("wanted=" + wanted);
    assertThat(path.resolve("terrace/regions")).doesNotExist();
  }

  @Test
  void memoryIsMappedAndADiskIsNot() throws IOException {
    try (SmallDisk memory = SmallDisk.mount(temporary.resolve("memory"), DISK_BYTES);
        SmallDisk disk = SmallDisk.ofImage(temporary.resolve("disk"), DISK_BYTES)) {
      assertThat(mapped(memory)).containsExactly(true);
      assertThat(mapped(disk)).containsExactly(false);
      assertThat(mapped(memory, disk)).as("a tier reads in one way").containsOnly(false);
    }
  }

  private static List<Boolean> mapped(SmallDisk... disks) throws IOException {
    List<Path> paths = Stream.of(disks).map(SmallDisk::directory).toList();
    List<Device> devices =
        MappedDevice.openAll(
            new PathSplit(PathSplit.even(paths, 16L * REGION * disks.length), REGION));
    try {
      return devices.stream().map(Device::isMapped).toList();
    } finally {
      devices.forEach(Device::close);
    }
  }

  @Test
  void saysWhichMappingItIs() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), DISK_BYTES);
        MappedDevice device = open(disk.directory(), 16)) {
      assertThat(device.isDax()).as("tmpfs").isFalse();
      assertThat(device.description())
          .contains("path=" + disk.directory())
          .contains("not DAX, plain shared mapping");
    }
  }
}
