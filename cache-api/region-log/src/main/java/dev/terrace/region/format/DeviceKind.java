// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import java.util.Locale;
import java.util.Optional;

/** The kind of device that a folder is for. */
public enum DeviceKind {
  /** Memory: the regions file is mapped, and all its space reserved. */
  PMEM(1),
  /** A file, read and written. */
  SSD(2);

  private final int code;

  DeviceKind(int code) {
    this.code = code;
  }

  /** Its code in a superblock. */
  int code() {
    return code;
  }

  static Optional<DeviceKind> of(int code) {
    for (DeviceKind kind : values()) {
      if (kind.code == code) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
