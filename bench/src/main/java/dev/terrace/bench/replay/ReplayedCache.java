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
package dev.terrace.bench.replay;

import java.util.List;

/** A cache that a trace is replayed through. Used by one thread. */
interface ReplayedCache extends AutoCloseable {

  /**
   * Looks a block up and, on a miss, brings it as a reader of the file behind the cache would.
   *
   * @param block the block's number
   * @param sizeBytes its size in the trace; always the same for a block
   * @return whether it was a hit
   */
  boolean access(long block, int sizeBytes);

  /** Waits for what accesses have set going on other threads; called after the last one. */
  default void settle() {}

  /** What each tier did, the highest first; none if the cache has no tiers to tell of. */
  default List<TierFigures> tiers() {
    return List.of();
  }

  @Override
  default void close() {}
}
