// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.nio.file.Path;
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

  /** The configuration of one of the paths. */
  public CacheSpec spec(Path path, DeviceKind kind) {
    return new CacheSpec(path, kind, geometry(), contents, keys);
  }
}
