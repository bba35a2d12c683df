// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import java.nio.file.Path;

/**
 * A cache path that is not at fault itself: it is absent or no directory, in use, or against a
 * limit or a key of this process. So a start does not go on without it.
 */
public final class WrongPathException extends CachePathException {

  private static final long serialVersionUID = 1L;

  WrongPathException(Path path, String problem, String remedy) {
    super(path, problem, remedy);
  }

  WrongPathException(Path path, String problem, String remedy, Throwable cause) {
    super(path, problem, remedy, cause);
  }
}
