// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;

/** A run against real servers cannot go on. The message is one line: why, and what to do. */
public final class RunFailure extends IOException {

  private static final long serialVersionUID = 1L;

  public RunFailure(String message) {
    super(message);
  }

  public RunFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
