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
package dev.terrace.hbase.settings;

import dev.terrace.region.device.ReadAhead;
import dev.terrace.region.folder.PathSplit;

/** Estimates the direct memory for indexes and buffers of the tiers on PMem and SSD. */
final class DirectMemoryNeeds {

  private static final int INDEX_BYTES_A_BLOCK = 32;

  /** Assumed size of a block; smaller blocks need a larger index. */
  private static final int BLOCK_BYTES = 64 << 10;

  /** Regions on their way to a disk: one open, the others being written. */
  private static final long WRITE_BUFFERS_A_PATH = 3;

  private DirectMemoryNeeds() {}

  static long ofPmem(TierSpace space) {
    return space.sizeBytes() / BLOCK_BYTES * INDEX_BYTES_A_BLOCK;
  }

  static long ofSsd(TierSpace space, SsdUse use) {
    if (!space.isConfigured()) {
      return 0;
    }
    long regionBytes = PathSplit.of(space.paths(), space.sizeBytes()).regionBytes();
    long writeBytes = space.paths().size() * WRITE_BUFFERS_A_PATH * regionBytes;
    return ofPmem(space) + writeBytes + (use.mayReadAhead() ? ReadAhead.MOST_BYTES : 0);
  }
}
