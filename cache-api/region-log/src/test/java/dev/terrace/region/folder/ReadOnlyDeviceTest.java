// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.region.device.RegionBytes;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadOnlyDeviceTest {

  private static final int REGION = DeviceGeometry.MIN_REGION_BYTES;
  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(REGION, 3);

  @TempDir Path temporary;
  private Path path;
  private UUID id;

  @BeforeEach
  void make() throws IOException {
    path = temporary.resolve("cache");
    try (CacheFolder folder = open()) {
      id = folder.superblock().id();
      byte[] bytes = new byte[(int) GEOMETRY.sizeBytes()];
      for (int region = 0; region < 3; region++) {
        RegionBytes.of(region, REGION).get(bytes, region * REGION, REGION);
      }
      Files.write(folder.regionsFile(), bytes);
    }
  }

  private CacheFolder open() throws IOException {
    return CacheFolder.open(
        Specs.of(path, DeviceKind.PMEM, GEOMETRY), RegionsSpace.SPARSE, Clock.systemUTC());
  }

  private void assertSeen(ReadOnlyDevice look) throws IOException {
    assertThat(look.superblock().id()).isEqualTo(id);
    assertThat(look.generation()).isEqualTo(1);
    assertThat(look.superblock().kind()).isEqualTo(DeviceKind.PMEM);
    assertThat(look.regions()).isEqualTo(3);
    assertThat(look.regionBytes()).isEqualTo(REGION);
    assertThat(look.superblock().createdMillis())
        .isEqualTo(look.superblock().openedMillis())
        .isPositive();
    assertThat(look.isMapped()).isFalse();
    for (int region = 0; region < 3; region++) {
      RegionBytes.check(look, region, 0, region, REGION);
    }
  }

  @Test
  void changesNothing() throws IOException {
    Map<String, String> before = state();
    try (ReadOnlyDevice look = ReadOnlyDevice.open(path)) {
      assertSeen(look);
      assertThatThrownBy(() -> look.write(0, 0, RegionBytes.buffer(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is not open for writing");
      assertThatThrownBy(() -> look.force(0, 0, 1)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> look.memory(0)).isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(state()).isEqualTo(before);
  }

  private Map<String, String> state() throws IOException {
    Map<String, String> state = new TreeMap<>();
    for (String name : new String[] {"lock", "superblock", "regions"}) {
      Path file = path.resolve("terrace").resolve(name);
      state.put(
          name, Files.getLastModifiedTime(file) + " " + Arrays.hashCode(Files.readAllBytes(file)));
    }
    try (var files = Files.list(path.resolve("terrace"))) {
      state.put("files", Long.toString(files.count()));
    }
    return state;
  }

  @Test
  void seesACopyAndTheFolderItself() throws IOException {
    Path copy = Files.createDirectory(temporary.resolve("copy"));
    for (String name : new String[] {"superblock", "regions"}) {
      Files.copy(path.resolve("terrace").resolve(name), copy.resolve(name));
    }
    try (ReadOnlyDevice look = ReadOnlyDevice.open(copy);
        ReadOnlyDevice folder = ReadOnlyDevice.open(path.resolve("terrace"))) {
      assertSeen(look);
      assertSeen(folder);
    }
    assertThat(copy.resolve("lock")).doesNotExist();
  }

  @Test
  void keepsTheCacheOutMeanwhile() throws Exception {
    try (ReadOnlyDevice look = ReadOnlyDevice.open(path)) {
      assertSeen(look);
      assertThatThrownBy(this::open)
          .hasMessageContaining("in use by a process that the lock file does not name");
      try (OtherProcess other = OtherProcess.open(path)) {
        assertThat(other.said()).contains("in use by a process that the lock file does not name");
      }
    }
    try (CacheFolder folder = open()) {
      assertThat(folder.superblock().id()).isEqualTo(id);
      assertThatThrownBy(() -> ReadOnlyDevice.open(path))
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining("in use");
    }
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    assertThatThrownBy(() -> ReadOnlyDevice.open(temporary.resolve("nothing")))
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContaining("is not a directory");
    assertThatThrownBy(() -> ReadOnlyDevice.open(temporary))
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContaining("no superblock");
    RegionsSpace.setLength(path.resolve("terrace/superblock"), 127);
    assertThatThrownBy(() -> ReadOnlyDevice.open(path))
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContaining("127 bytes");
    Files.delete(path.resolve("terrace/superblock"));
    open().close();
    Files.delete(path.resolve("terrace/regions"));
    assertThatThrownBy(() -> ReadOnlyDevice.open(path))
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContaining("regions file is missing");
  }

  @Test
  void whatIsCutOffCannotBeRead() throws IOException {
    RegionsSpace.setLength(path.resolve("terrace/regions"), 2L * REGION - 1);
    try (ReadOnlyDevice look = ReadOnlyDevice.open(path)) {
      assertThat(look.regionsFileBytes()).isEqualTo(2L * REGION - 1);
      RegionBytes.check(look, 0, 0, 0, REGION);
      assertThatThrownBy(() -> RegionBytes.read(look, 1, 0, REGION))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("ends before");
      assertThatThrownBy(() -> RegionBytes.read(look, 2, 0, 1)).isInstanceOf(IOException.class);
    }
  }
}
