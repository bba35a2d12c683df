// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.folder.UnusablePathException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDevicesTest {

  @TempDir Path temporary;

  @Test
  void opensAllPathsOrNone() throws IOException {
    List<Path> paths = List.of(temporary.resolve("a"), temporary.resolve("b"));
    Files.createFile(paths.get(1));
    PathSplit config = PathSplit.of(PathSplit.even(paths, 4 << 20));
    assertThatThrownBy(() -> FileDevice.openAll(config, false))
        .isInstanceOf(UnusablePathException.class)
        .hasMessageContaining("path=" + paths.get(1) + " is not a directory");
    Files.delete(paths.get(1));
    List<Device> devices = FileDevice.openAll(config, false);
    assertThat(devices)
        .extracting(Device::path)
        .containsExactly(paths.get(0).toString(), paths.get(1).toString());
    assertThat(devices).extracting(Device::generation).containsExactly(2L, 1L);
    devices.forEach(Device::close);
  }
}
