/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.device.Device;
import dev.terrace.region.device.RegionBytes;
import dev.terrace.region.folder.CacheSpec;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.DeviceKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** JNA's own library cannot be loaded, as when code may not run from the temporary directory. */
@Timeout(60)
class WithoutJnaTest {

  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(64 << 10, 20);

  @TempDir Path temporary;

  private static Device open(Path path) throws IOException {
    return MappedDevice.open(
        new CacheSpec(path, DeviceKind.PMEM, GEOMETRY),
        ReservedSpace.ofThisSystem(),
        Clock.systemUTC());
  }

  @Test
  void thePathIsFilledByWriting() throws IOException {
    Path path = temporary.resolve("cache");
    for (int generation = 1; generation < 3; generation++) {
      Process process =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-Xmx64m",
                  "-Djna.nounpack=true",
                  "-Djna.nosys=true",
                  "-cp",
                  System.getProperty("java.class.path"),
                  WithoutJnaTest.class.getName(),
                  path.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
      assertThat(process.exitValue()).as(said).isZero();
      assertThat(said)
          .containsOnlyOnce("gets its space by being written")
          .contains("-Djna.tmpdir")
          .contains("generation=" + generation)
          .doesNotContain("\tat ");
    }
    try (Device device = open(path)) {
      assertThat(device.generation()).isEqualTo(3);
      for (int region = 0; region < device.regions(); region++) {
        RegionBytes.check(device, region, 0, region, device.regionBytes());
      }
    }
  }

  /** Runs in the other process. */
  public static void main(String[] args) throws IOException {
    try (Device device = open(Path.of(args[0]))) {
      for (int region = 0; region < device.regions(); region++) {
        device.memory(region).put(RegionBytes.of(region, device.regionBytes()));
        device.force(region, 0, device.regionBytes());
      }
    }
  }
}
