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
package dev.terrace.region;

import dev.terrace.region.device.Device;
import dev.terrace.region.folder.CachePathException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** What {@link RegionTierContract} asks of a tier whose devices are paths. */
public abstract class PathTierContract extends RegionTierContract {

  @TempDir Path temporary;
  private int opened;

  /** Opens the device of a path. */
  protected abstract List<? extends Device> open(Path path, int regions, int regionBytes)
      throws IOException;

  @Override
  protected final List<? extends Device> newDevices(int regions, int regionBytes)
      throws IOException {
    return open(temporary.resolve("cache-" + opened++), regions, regionBytes);
  }

  /** A path that was given back can be opened again. */
  @Override
  protected final boolean isClosed(Device device) {
    try {
      open(Path.of(device.path()), device.regions(), device.regionBytes()).forEach(Device::close);
      return true;
    } catch (CachePathException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
