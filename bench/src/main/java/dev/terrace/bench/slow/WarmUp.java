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
package dev.terrace.bench.slow;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Says whether a store is not to be slow yet: as long as a file is there. A run can so fill its
 * caches quickly, and then delete the file. Safe for use by several threads.
 */
final class WarmUp {

  private static final long LOOK_INTERVAL_NANOS = 50_000_000;

  private final Path file;
  private volatile boolean active;
  private volatile long nextLookNanos;

  WarmUp(Optional<Path> file, long nowNanos) {
    this.file = file.orElse(null);
    this.active = file.isPresent();
    this.nextLookNanos = nowNanos;
  }

  /** Returns whether it goes on; what it says may be 50 ms old. It never begins again. */
  boolean isActive(long nowNanos) {
    if (active && nowNanos - nextLookNanos >= 0) {
      nextLookNanos = nowNanos + LOOK_INTERVAL_NANOS;
      active = Files.exists(file);
    }
    return active;
  }
}
