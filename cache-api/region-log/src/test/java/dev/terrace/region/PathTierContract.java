// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.region.device.Device;
import dev.terrace.region.folder.UnusablePathException;
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
    } catch (UnusablePathException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
