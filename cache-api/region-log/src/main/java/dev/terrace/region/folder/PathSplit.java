// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.folder.UnusablePathException.FatalPathException;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A tier's space, spread evenly over its paths.
 *
 * @param paths the directories, one for each device
 * @param sizeBytes of all paths together; a remainder too small for a region on each is not used
 * @param regionBytes the size of each region: a power of two from 64 KB to 64 MB
 * @param contents the settings that the bytes of the blocks depend on, see {@link CacheSpec}
 * @param keys wraps the data keys of the paths; empty if no block is to be encrypted
 * @param needsAll whether opening fails unless all paths open
 */
public record PathSplit(
    List<Path> paths,
    long sizeBytes,
    int regionBytes,
    String contents,
    Optional<KeyWrapper> keys,
    boolean needsAll) {

  /** With fewer regions, too large a part of a path would be open or awaiting reclaim. */
  public static final int MIN_REGIONS = 16;

  /** Size of regions, unless the tier is too small for it. */
  public static final int DEFAULT_REGION_BYTES = 16 << 20;

  /** The largest number of regions of a tier, over all its paths. */
  public static final int MAX_REGIONS = BlockAddress.MAX_REGION + 1;

  /** The smallest size of a path. */
  public static final long MIN_PATH_BYTES = (long) MIN_REGIONS * DeviceGeometry.MIN_REGION_BYTES;

  /** A split without data keys, with contents that depend on no setting. */
  public PathSplit(List<Path> paths, long sizeBytes, int regionBytes) {
    this(paths, sizeBytes, regionBytes, "", Optional.empty(), true);
  }

  /** A split into regions of 16 MB, or smaller ones if a path would have too few. */
  public static PathSplit of(List<Path> paths, long sizeBytes) {
    long shareBytes = Long.highestOneBit(sizeBytes / paths.size() / MIN_REGIONS);
    long regionBytes = Math.min(DEFAULT_REGION_BYTES, shareBytes);
    return new PathSplit(
        paths, sizeBytes, (int) Math.max(DeviceGeometry.MIN_REGION_BYTES, regionBytes));
  }

  /** How each path is divided. */
  public DeviceGeometry geometry() {
    return new DeviceGeometry(regionBytes, (int) (sizeBytes / paths.size() / regionBytes));
  }

  /** The same, with contents that depend on settings, and with data keys. */
  public PathSplit withContents(String settings, Optional<KeyWrapper> wrapper) {
    return new PathSplit(paths, sizeBytes, regionBytes, settings, wrapper, needsAll);
  }

  /** The same, but a path that is itself at fault is left out of service. */
  public PathSplit withoutSickPaths() {
    return new PathSplit(paths, sizeBytes, regionBytes, contents, keys, false);
  }

  /**
   * Opens a device on each path. If one fails, closes those that are open. A path that may be left
   * out has ten seconds; a device that opens later is closed again.
   *
   * @return the devices, in the order of the paths; an {@link UnopenedDevice} stands for a path
   *     that is left out
   */
  public List<Device> openAll(PathAnswers.Question<Device> opening) throws IOException {
    return openAll(opening, PathAnswers.LIMIT);
  }

  List<Device> openAll(PathAnswers.Question<Device> opening, Duration limit) throws IOException {
    PathAnswers<Device> answers = needsAll ? null : PathAnswers.of(paths, opening, limit);
    List<Device> devices = new ArrayList<>(paths.size());
    boolean isAll = false;
    try {
      for (Path path : paths) {
        devices.add(needsAll ? opening.ask(path) : openIfWell(path, answers));
      }
      isAll = true;
      return List.copyOf(devices);
    } finally {
      if (!isAll && needsAll) {
        devices.forEach(Device::close);
      } else if (!isAll) {
        paths.forEach(path -> answers.eachAnswer(path, Device::close));
      }
    }
  }

  private Device openIfWell(Path path, PathAnswers<Device> answers) throws IOException {
    try {
      return answers.of(path);
    } catch (IOException e) {
      if (e instanceof FatalPathException) {
        throw e;
      }
      answers.eachAnswer(path, Device::close);
      // The superblock of an empty path, so that nobody waits for its recovery.
      Superblock empty = Superblock.fresh(DeviceKind.SSD, geometry(), contents, 0);
      return new UnopenedDevice(path.toString(), empty, false, e);
    }
  }

  /** The configuration of one of the paths. */
  public CacheSpec spec(Path path, DeviceKind kind) {
    return new CacheSpec(path, kind, geometry(), contents, keys);
  }

  /**
   * Stands for a path that could not be opened, until it can be. Every access to its bytes fails.
   * The path's contents are kept.
   *
   * @param path the directory, as it was configured
   * @param superblock that of an empty path; it is not written
   * @param isMapped whether the other paths of its tier are
   * @param why why it could not be opened
   */
  public record UnopenedDevice(
      String path, Superblock superblock, boolean isMapped, IOException why)
      implements Device.WithSuperblock {

    private static final int MAX_ALIGNMENT_BYTES = 4096;

    /** The same, for a tier whose other paths are mapped. */
    public UnopenedDevice mapped() {
      return new UnopenedDevice(path, superblock, true, why);
    }

    /** As much as any device may need that replaces this one. */
    @Override
    public int alignmentBytes() {
      return isMapped ? 1 : MAX_ALIGNMENT_BYTES;
    }

    /** Empty, and never used: the path is not in service. */
    @Override
    public ByteBuffer memory(int region) {
      return ByteBuffer.allocate(0);
    }

    @Override
    public void close() {}
  }
}
