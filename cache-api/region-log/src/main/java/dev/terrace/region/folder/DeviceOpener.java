// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.device.Device;
import dev.terrace.region.folder.UnusablePathException.FatalPathException;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Opens the devices of a tier. A path that fails or does not answer can be left out of service. */
public final class DeviceOpener {

  private DeviceOpener() {}

  /**
   * Opens a device on each path. If one fails, closes those that are open. A path that may be left
   * out has ten seconds; a device that opens later is closed again.
   *
   * @return the devices, in the order of the paths; an {@link UnopenedDevice} stands for a path
   *     that is left out
   */
  public static List<Device> openAll(PathSplit split, PathAnswers.Question<Device> opening)
      throws IOException {
    return openAll(split, opening, PathAnswers.LIMIT);
  }

  static List<Device> openAll(PathSplit split, PathAnswers.Question<Device> opening, Duration limit)
      throws IOException {
    List<Path> paths = split.paths();
    boolean needsAll = split.needsAll();
    PathAnswers<Device> answers = needsAll ? null : PathAnswers.of(paths, opening, limit);
    List<Device> devices = new ArrayList<>(paths.size());
    try {
      for (Path path : paths) {
        devices.add(needsAll ? PathAnswers.ask(opening, path) : openIfWell(split, path, answers));
      }
      return List.copyOf(devices);
    } catch (IOException | RuntimeException | Error e) {
      if (needsAll) {
        devices.forEach(Device::close);
      } else {
        paths.forEach(path -> answers.eachAnswer(path, Device::close));
      }
      throw e;
    }
  }

  private static Device openIfWell(PathSplit split, Path path, PathAnswers<Device> answers)
      throws IOException {
    try {
      return answers.of(path);
    } catch (IOException e) {
      if (e instanceof FatalPathException) {
        throw e;
      }
      answers.eachAnswer(path, Device::close);
      // The superblock of an empty path, so that nobody waits for its recovery.
      Superblock empty =
          Superblock.fresh(DeviceKind.SSD, split.geometry(path), split.contents(), 0, 0);
      return new UnopenedDevice(path.toString(), empty, e);
    }
  }
}
