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

/** An entry of a {@link ClockTinyLfu}. The policy's lock guards all fields but the hits. */
class ClockNode {

  /** The number of hits that a node counts up to. */
  static final int MOST_HITS = 3;

  /** The list where a node is. */
  enum Place {
    NONE,
    WINDOW,
    MAIN,
    LEAVING
  }

  /** The hash of the key: the same for all entries of one key. */
  final long keyHash;

  /** The room that the entry takes. */
  final int weight;

  Place place = Place.NONE;
  ClockNode previous;
  ClockNode next;

  /**
   * Hits since the hand last passed. Readers write it without a lock; a lost hit makes the entry
   * look colder.
   */
  private byte hits;

  ClockNode(long keyHash, int weight) {
    this.keyHash = keyHash;
    this.weight = weight;
  }

  /** Counts a hit. Writes nothing after {@link #MOST_HITS}. */
  final void noteHit() {
    byte seen = hits;
    if (seen < MOST_HITS) {
      hits = (byte) (seen + 1);
    }
  }

  final int hits() {
    return hits;
  }

  final void hits(int count) {
    hits = (byte) count;
  }
}
