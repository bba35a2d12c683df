// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import java.io.IOException;

/** Thrown when bytes that were read differ from those that were written. A retry does not help. */
public final class DamagedRegionException extends IOException {

  private static final long serialVersionUID = 1;

  /** With the kind of damage. */
  public DamagedRegionException(String message) {
    super(message);
  }
}
