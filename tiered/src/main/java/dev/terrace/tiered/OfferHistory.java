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

/**
 * Remembers for a while how often keys were offered to a tier: never, once, or more often. In four
 * bytes a key. Not thread-safe.
 */
final class OfferHistory {

  /** The most that is told apart. */
  static final int MOST = 2;

  private final SeenKeys once = new SeenKeys();
  private final SeenKeys again = new SeenKeys();

  /**
   * Takes down an offer.
   *
   * @param keys how many to remember
   * @return how often the key was offered before, up to {@link #MOST}
   */
  int offered(long hash, long keys) {
    if (!once.contains(hash)) {
      once.add(hash, keys);
      return 0;
    }
    if (!again.contains(hash)) {
      again.add(hash, keys);
      return 1;
    }
    return MOST;
  }
}
