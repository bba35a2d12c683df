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
package dev.terrace.tiered;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.Tier;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The blocks of several tiers, each as the highest tier that holds it describes it. */
final class DistinctBlocks<B> implements Iterator<BlockInfo> {

  private final List<Tier<B>> tiers;
  private Iterator<BlockInfo> current = Collections.emptyIterator();
  private int started;
  private BlockInfo next;

  DistinctBlocks(List<Tier<B>> tiers) {
    this.tiers = tiers;
    advance();
  }

  private void advance() {
    next = null;
    while (next == null) {
      if (current.hasNext()) {
        BlockInfo candidate = current.next();
        if (!isInHigherTier(candidate.key())) {
          next = candidate;
        }
      } else if (started < tiers.size()) {
        current = tiers.get(started++).blocks();
      } else {
        return;
      }
    }
  }

  private boolean isInHigherTier(BlockKey key) {
    for (Tier<B> tier : tiers.subList(0, started - 1)) {
      if (tier.contains(key.file(), key.offset())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public BlockInfo next() {
    if (next == null) {
      throw new NoSuchElementException();
    }
    BlockInfo result = next;
    advance();
    return result;
  }
}
