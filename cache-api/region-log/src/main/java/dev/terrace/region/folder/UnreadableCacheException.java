// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import java.nio.file.Path;

/** A folder of a cache that is too damaged to be read, or of another version's format. */
public final class UnreadableCacheException extends CachePathException {

  private static final long serialVersionUID = 1L;

  private final boolean otherFormat;

  UnreadableCacheException(Path path, String trouble, boolean otherFormat) {
    super(path, "cannot be read", trouble);
    this.otherFormat = otherFormat;
  }

  /** Whether another version of Terrace can read it. */
  public boolean isOfOtherFormat() {
    return otherFormat;
  }
}
