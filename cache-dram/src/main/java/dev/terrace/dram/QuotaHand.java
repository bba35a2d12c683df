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
package dev.terrace.dram;

import dev.terrace.api.Quota;
import java.util.Collections;
import java.util.Iterator;

/**
 * Chooses which block of a quota's files makes room for another one of them: of the next few in the
 * index the one with the fewest hits. Thread-safe.
 */
final class QuotaHand<B> {

  private static final int MOST_STEPS = 16;

  private final Quota quota;
  private final DramIndex<B> index;
  private Iterator<DramEntry<B>> rest = Collections.emptyIterator();

  QuotaHand(Quota quota, DramIndex<B> index) {
    this.quota = quota;
    this.index = index;
  }

  /** The entry that is to leave; null if there is none. */
  synchronized DramEntry<B> next() {
    DramEntry<B> coldest = null;
    for (int step = 0; step < MOST_STEPS && goOn(); step++) {
      DramEntry<B> entry = rest.next();
      if (!entry.isGone() && (coldest == null || entry.hits() < coldest.hits())) {
        coldest = entry;
      }
      if (coldest != null && coldest.hits() == 0) {
        return coldest;
      }
    }
    return coldest;
  }

  /** Begins anew at the end. False if no file has the quota. */
  private boolean goOn() {
    if (!rest.hasNext()) {
      rest = index.walk(quota);
    }
    return rest.hasNext();
  }
}
