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

import dev.terrace.region.cipher.KeyWrapper;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.format.DeviceGeometry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the devices of a persistent memory tier.
 *
 * @param paths the directories, one for each device; on a DAX file system or not
 * @param sizeBytes of all paths together, spread evenly; the rest that does not fill a region on
 *     each is not used
 * @param regionBytes the size of each region: a power of two from 64 KB to 64 MB, at least 16 on
 *     each path
 * @param contents the settings on which the bytes of the blocks depend, see {@link
 *     dev.terrace.region.folder.CacheSpec}
 * @param keys wraps the data keys of the paths; empty if no block is to be encrypted
 */
public record PmemConfig(
    List<Path> paths, long sizeBytes, int regionBytes, String contents, Optional<KeyWrapper> keys) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the value that is wrong, and what would be right
   */
  public PmemConfig {
    paths = new PathSplit(paths, sizeBytes, regionBytes).paths();
  }

  /** Settings without data keys, with contents that depend on no setting. */
  public PmemConfig(List<Path> paths, long sizeBytes, int regionBytes) {
    this(paths, sizeBytes, regionBytes, "", Optional.empty());
  }

  /**
   * Settings with regions of 16 MB, or smaller ones if a path would have too few.
   *
   * @throws IllegalArgumentException naming the value that is wrong, and what would be right
   */
  public static PmemConfig of(List<Path> paths, long sizeBytes) {
    PathSplit split = PathSplit.of(paths, sizeBytes);
    return new PmemConfig(split.paths(), sizeBytes, split.regionBytes());
  }

  /** The same, with contents that depend on settings. */
  public PmemConfig withContents(String settings) {
    return new PmemConfig(paths, sizeBytes, regionBytes, settings, keys);
  }

  /** The same, with data keys. */
  public PmemConfig withKeys(Optional<KeyWrapper> wrapper) {
    return new PmemConfig(paths, sizeBytes, regionBytes, contents, wrapper);
  }

  /** How each path is divided. */
  public DeviceGeometry geometry() {
    return new PathSplit(paths, sizeBytes, regionBytes).geometry();
  }
}
