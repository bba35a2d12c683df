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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The copies that are on their way to the highest tier, and the evictions that are under way: so
 * that no copy outlives the eviction of its block. Any thread may call any method; none blocks.
 */
final class Ascents {

  /*
   * A promoter begins an ascent, looks whether the block is still below, puts the copy, and ends the
   * ascent. An eviction announces itself, marks the ascents that it concerns, goes through the tiers
   * from the highest to the lowest, and is over.
   *
   * An ascent that begins while the eviction is announced does not take place. One that begins
   * later finds no block below. One that began before is marked, and then its promoter evicts the
   * block once more; unless it had put its copy already, and then the eviction comes to the highest
   * tier after the copy, and finds it there or on its way down (see Demoter).
   */

  /** A copy on its way. */
  static final class Ascent {
    private final String file;
    private final long offset;
    private volatile boolean evicted;

    private Ascent(String file, long offset) {
      this.file = file;
      this.offset = offset;
    }
  }

  /** An eviction under way, of the blocks of a file in a range of offsets. */
  static final class Eviction {
    private final String file;
    private final long fromOffset;
    private final long toOffset;

    private Eviction(String file, long fromOffset, long toOffset) {
      this.file = file;
      this.fromOffset = fromOffset;
      this.toOffset = toOffset;
    }

    private boolean concerns(Ascent ascent) {
      return ascent.offset >= fromOffset && ascent.offset <= toOffset && ascent.file.equals(file);
    }
  }

  private final Set<Ascent> ascents = ConcurrentHashMap.newKeySet();
  private final Set<Eviction> evictions = ConcurrentHashMap.newKeySet();

  /** Begins an ascent, which must be ended; null if the block is being evicted. */
  Ascent begin(String file, long offset) {
    Ascent ascent = new Ascent(file, offset);
    ascents.add(ascent);
    for (Eviction eviction : evictions) {
      if (eviction.concerns(ascent)) {
        ascents.remove(ascent);
        return null;
      }
    }
    return ascent;
  }

  /**
   * Ends an ascent.
   *
   * @return whether the block was evicted meanwhile, so that the copy must be, too
   */
  boolean end(Ascent ascent) {
    ascents.remove(ascent);
    return ascent.evicted;
  }

  /** Announces an eviction, before it looks into any tier; it must be told when it is over. */
  Eviction evicting(String file, long fromOffset, long toOffset) {
    Eviction eviction = new Eviction(file, fromOffset, toOffset);
    evictions.add(eviction);
    for (Ascent ascent : ascents) {
      if (eviction.concerns(ascent)) {
        ascent.evicted = true;
      }
    }
    return eviction;
  }

  /** Hears that an eviction went through all tiers. */
  void over(Eviction eviction) {
    evictions.remove(eviction);
  }
}
