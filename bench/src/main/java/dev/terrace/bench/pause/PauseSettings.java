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
package dev.terrace.bench.pause;

import dev.terrace.bench.workload.CacheKind;
import java.time.Duration;

/**
 * What is run.
 *
 * @param cache which cache
 * @param time how long the phases take that have no end of their own
 * @param fileBlocks the blocks of the large file
 */
record PauseSettings(CacheKind cache, Duration time, int fileBlocks) {

  static final int BLOCK_SIZE_BYTES = 4 << 10;

  /** With its header and with what a size class takes, a block may need a quarter more. */
  private static final long ROOM_PER_BLOCK_BYTES = 2L * BLOCK_SIZE_BYTES;

  private static final long OTHER_ROOM_BYTES = 256L << 20;

  PauseSettings {
    if (cache.isFloor()) {
      throw new IllegalArgumentException(
          "--caches=" + cache.label() + ": must be a cache that makes room");
    }
    if (time.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("--seconds=" + time.toSeconds() + ": must be at least 1");
    }
    if (fileBlocks < 1000 || fileBlocks > 100_000) {
      throw new IllegalArgumentException(
          "--blocks=" + fileBlocks + ": must be from 1,000 to 100,000");
    }
  }

  /** Room for the large file, for what is read often, and for some of what is put. */
  long capacityBytes() {
    return fileBlocks * ROOM_PER_BLOCK_BYTES + OTHER_ROOM_BYTES;
  }
}
