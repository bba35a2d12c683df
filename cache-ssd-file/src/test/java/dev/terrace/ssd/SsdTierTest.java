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
package dev.terrace.ssd;

import dev.terrace.region.CachePathException;
import dev.terrace.region.Device;
import dev.terrace.region.RegionTierContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** An SSD tier: the region log over a file. */
class SsdTierTest extends RegionTierContract {

  @TempDir Path temporary;
  private int opened;

  private SsdConfig config(List<Path> paths, int regions, int regionBytes) {
    return new SsdConfig(paths, (long) regions * regionBytes, regionBytes, false);
  }

  @Override
  protected List<? extends Device> newDevices(int regions, int regionBytes) throws IOException {
    Path path = temporary.resolve("cache-" + opened++);
    return FileDevices.open(config(List.of(path), regions, regionBytes));
  }

  /** A path that was given back can be opened again. */
  @Override
  protected boolean isClosed(Device device) {
    List<Path> paths = List.of(Path.of(device.path()));
    try {
      FileDevices.open(config(paths, device.regions(), device.regionBytes()))
          .forEach(Device::close);
      return true;
    } catch (CachePathException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected boolean isMapped() {
    return false;
  }
}
