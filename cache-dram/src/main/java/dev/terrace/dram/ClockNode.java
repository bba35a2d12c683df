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

/**
 * What a {@link ClockTinyLfu} knows of an entry. All fields but the hits belong to the policy's
 * lock.
 */
abstract class ClockNode {

  /** A hit beyond this many is not noted. */
  static final int MOST_HITS = 3;

  /** The list where a node is. */
  enum Place {
    NONE,
    WINDOW,
    MAIN
  }

  /** Of the key: the same for all entries of one key. */
  final long keyHash;

  /** How much room the entry takes. */
  final int weight;

  Place place = Place.NONE;
  ClockNode previous;
  ClockNode next;

  /**
   * Hits since the clock's hand last came by. Written by readers without a lock: a lost hit makes
   * the entry look a little colder.
   */
  private byte hits;

  ClockNode(long keyHash, int weight) {
    this.keyHash = keyHash;
    this.weight = weight;
  }

  /** Notes a hit. Writes nothing once there were enough of them. */
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
