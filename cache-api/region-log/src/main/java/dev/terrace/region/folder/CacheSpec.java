// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.DeviceKind;
import dev.terrace.region.format.SuperblockLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The configuration of a path.
 *
 * @param path a directory, which may be absent if its parent is there
 * @param kind the kind of device
 * @param geometry how many regions of what size
 * @param contents the application's settings on which the bytes of its blocks depend, as a text of
 *     at most {@link #MAX_CONTENTS_BYTES} bytes of UTF-8; a path with contents of another text is
 *     started empty
 * @param keys wraps the folder's data key; empty for a folder without one
 */
public record CacheSpec(
    Path path,
    DeviceKind kind,
    DeviceGeometry geometry,
    String contents,
    Optional<KeyWrapper> keys) {

  /** Most bytes of {@link #contents} in UTF-8. */
  public static final int MAX_CONTENTS_BYTES = SuperblockLayout.MAX_CONTENTS_BYTES;

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the contents are too long
   */
  public CacheSpec {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(geometry, "geometry");
    if (contents.getBytes(StandardCharsets.UTF_8).length > MAX_CONTENTS_BYTES) {
      throw new IllegalArgumentException(
          "contents=" + contents + " takes more than " + MAX_CONTENTS_BYTES + " bytes");
    }
  }

  /** A path without a data key. */
  public CacheSpec(Path path, DeviceKind kind, DeviceGeometry geometry, String contents) {
    this(path, kind, geometry, contents, Optional.empty());
  }

  /** A path with contents that depend on no setting. */
  public CacheSpec(Path path, DeviceKind kind, DeviceGeometry geometry) {
    this(path, kind, geometry, "");
  }
}
