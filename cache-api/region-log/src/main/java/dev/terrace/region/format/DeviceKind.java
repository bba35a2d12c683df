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
