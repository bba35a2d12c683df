// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A tier's space on each of its paths.
 *
 * @param sizes the bytes of each directory, one for each device; a remainder smaller than a region
 *     is not used
 * @param regionBytes the size of each region: a power of two from 64 KB to 64 MB
 * @param contents the settings that the bytes of the blocks depend on, see {@link CacheSpec}
 * @param keys wraps the data keys of the paths; empty if no block is to be encrypted
 * @param needsAll whether opening fails unless all paths open
 */
public record PathSplit(
    Map<Path, Long> sizes,
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

  public static final long MIN_PATH_BYTES = (long) MIN_REGIONS * DeviceGeometry.MIN_REGION_BYTES;

  public PathSplit {
    sizes = Collections.unmodifiableMap(new LinkedHashMap<>(sizes));
  }

  /** A split without data keys, with contents that depend on no setting. */
  public PathSplit(Map<Path, Long> sizes, int regionBytes) {
    this(sizes, regionBytes, "", Optional.empty(), true);
  }

  /** A split into regions of 16 MB, or smaller ones if a path would have too few. */
  public static PathSplit of(Map<Path, Long> sizes) {
    long smallestBytes = Collections.min(sizes.values());
    long regionBytes =
        Math.min(DEFAULT_REGION_BYTES, Long.highestOneBit(smallestBytes / MIN_REGIONS));
    return new PathSplit(sizes, (int) Math.max(DeviceGeometry.MIN_REGION_BYTES, regionBytes));
  }

  /** A size that is spread evenly over the paths. */
  public static Map<Path, Long> even(List<Path> paths, long sizeBytes) {
    Map<Path, Long> sizes = new LinkedHashMap<>();
    paths.forEach(path -> sizes.put(path, sizeBytes / paths.size()));
    return sizes;
  }

  /** The directories, one for each device. */
  public List<Path> paths() {
    return List.copyOf(sizes.keySet());
  }

  public DeviceGeometry geometry(Path path) {
    return new DeviceGeometry(regionBytes, (int) (sizes.get(path) / regionBytes));
  }

  public PathSplit only(Collection<Path> some) {
    Map<Path, Long> kept = new LinkedHashMap<>(sizes);
    kept.keySet().retainAll(some);
    return new PathSplit(kept, regionBytes, contents, keys, needsAll);
  }

  /** The same, with contents that depend on settings, and with data keys. */
  public PathSplit withContents(String settings, Optional<KeyWrapper> wrapper) {
    return new PathSplit(sizes, regionBytes, settings, wrapper, needsAll);
  }

  /** The same, but a path that is itself at fault is left out of service. */
  public PathSplit withoutSickPaths() {
    return new PathSplit(sizes, regionBytes, contents, keys, false);
  }

  public CacheSpec spec(Path path, DeviceKind kind) {
    return new CacheSpec(path, kind, geometry(path), contents, keys);
  }
}
