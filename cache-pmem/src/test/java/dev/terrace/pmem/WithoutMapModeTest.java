// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.RegionBytes;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.folder.Specs;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java runtime lacks the module of MAP_SYNC, as one that jlink made may. */
class WithoutMapModeTest {

  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(64 << 10, 4);

  @TempDir Path temporary;

  @Test
  void thePathIsMappedWithoutIt() throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "--limit-modules=java.se,jdk.unsupported",
                "-cp",
                System.getProperty("java.class.path"),
                WithoutMapModeTest.class.getName(),
                temporary.resolve("cache").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    assertThat(process.exitValue()).as(said).isZero();
    assertThat(said).contains("lacks module jdk.nio.mapmode").doesNotContain("\tat ");
  }

  /** Runs in the other process. */
  public static void main(String[] args) throws IOException {
    CacheSpec spec = Specs.of(Path.of(args[0]), DeviceKind.PMEM, GEOMETRY);
    try (Device device = MappedDevice.open(spec, Clock.systemUTC())) {
      device.memory(0).put(RegionBytes.of(0, device.regionBytes()));
      device.force(0, 0, device.regionBytes());
      RegionBytes.check(device, 0, 0, 0, device.regionBytes());
    }
  }
}
