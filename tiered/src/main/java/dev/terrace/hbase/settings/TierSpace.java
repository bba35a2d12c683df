// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.region.folder.PathSplit;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a tier lies that survives a restart, and how large it is.
 *
 * @param paths the directories, one for each device
 * @param sizeBytes of all of them together; 0 is no such tier
 */
public record TierSpace(List<Path> paths, long sizeBytes) {

  /** No tier. */
  public static final TierSpace NONE = new TierSpace(List.of(), 0);

  /** Copies the list. */
  public TierSpace {
    paths = List.copyOf(paths);
  }

  /** Whether there is to be such a tier. */
  public boolean isConfigured() {
    return sizeBytes > 0;
  }

  /** How the space is divided. There is one. */
  public PathSplit split() {
    return PathSplit.of(paths, sizeBytes);
  }
}
