// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.nio.file.Path;
import java.util.Optional;

/** Configurations of paths without a data key. */
public final class Specs {

  private Specs() {}

  /** A path with contents that depend on no setting. */
  public static CacheSpec of(Path path, DeviceKind kind, DeviceGeometry geometry) {
    return of(path, kind, geometry, "");
  }

  /** A path with contents that depend on settings. */
  public static CacheSpec of(Path path, DeviceKind kind, DeviceGeometry geometry, String contents) {
    return new CacheSpec(path, kind, geometry, contents, Optional.empty());
  }
}
