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

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Evicts what was not used for longest. */
final class LruCache implements ReplayedCache {

  private static final float LOAD_FACTOR = 0.75f;

  private final Map<Long, Integer> sizes = new LinkedHashMap<>(16, LOAD_FACTOR, true);
  private final long capacityBytes;
  private long usedBytes;

  LruCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  @Override
  public boolean access(long block, int sizeBytes) {
    if (sizes.get(block) != null) {
      return true;
    }
    if (sizeBytes > capacityBytes) {
      return false;
    }
    sizes.put(block, sizeBytes);
    usedBytes += sizeBytes;
    for (Iterator<Integer> eldest = sizes.values().iterator(); usedBytes > capacityBytes; ) {
      usedBytes -= eldest.next();
      eldest.remove();
    }
    return false;
  }
}
