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

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Caffeine, that is W-TinyLFU with an adaptive window, which hears of every access. */
final class TinyLfuCache implements ReplayedCache {

  private final Cache<Long, Integer> weights;
  private final int unitBytes;

  /**
   * @param unitBytes what weights are counted in, so that they stay as small as they can
   */
  TinyLfuCache(long capacityBytes, int unitBytes) {
    this.unitBytes = unitBytes;
    this.weights =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(capacityBytes / unitBytes)
            .<Long, Integer>weigher((block, weight) -> weight)
            .build();
  }

  @Override
  public boolean access(long block, int sizeBytes) {
    if (weights.getIfPresent(block) != null) {
      return true;
    }
    weights.put(block, sizeBytes / unitBytes);
    return false;
  }
}
