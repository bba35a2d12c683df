// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.device.DeviceFault;
import java.io.IOException;
import java.nio.file.Path;

/** A cache path that the operator must fix before it can be used. */
public class UnusablePathException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String remedy;

  /**
   * An error with the problem of a path and the remedy.
   *
   * @param path as configured, or the file or folder below it
   */
  public UnusablePathException(Path path, String problem, String remedy) {
    this(path, problem, remedy, null);
  }

  public UnusablePathException(Path path, String problem, String remedy, Throwable cause) {
    super("path=" + path + " " + problem + ": " + remedy, cause);
    this.problem = "path=" + path + " " + problem;
    this.remedy = remedy;
  }

  static UnusablePathException notWritten(Path file, IOException cause) {
    return new UnusablePathException(
        file,
        "cannot be written (" + cause.getMessage() + ")",
        DeviceFault.of(cause).remedy(),
        cause);
  }

  /** The path and its problem: the message up to the remedy. */
  public String problem() {
    return problem;
  }

  /** What the operator can do: the rest of the message. */
  public String remedy() {
    return remedy;
  }

  /**
   * A problem outside the path's disk: the path is absent, not a directory, or in use, or a limit
   * or key of this process prevents its use. So a start does not go on without the path.
   */
  public static final class FatalPathException extends UnusablePathException {

    private static final long serialVersionUID = 1L;

    FatalPathException(Path path, String problem, String remedy, Throwable cause) {
      super(path, problem, remedy, cause);
    }
  }
}
