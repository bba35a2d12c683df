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

/** A list of nodes, the newest first. Not thread-safe. */
final class ClockList {

  private final ClockNode.Place place;
  private final ClockNode ends = new ClockNode(0, 0) {};
  private long weight;
  private int size;

  ClockList(ClockNode.Place place) {
    this.place = place;
    ends.previous = ends;
    ends.next = ends;
  }

  long weight() {
    return weight;
  }

  int size() {
    return size;
  }

  /** The oldest node; null if there is none. */
  ClockNode oldest() {
    return ends.previous == ends ? null : ends.previous;
  }

  /** The newest node; null if there is none. */
  ClockNode newest() {
    return ends.next == ends ? null : ends.next;
  }

  /** The next newer node; null if there is none. */
  ClockNode newerThan(ClockNode node) {
    return node.previous == ends ? null : node.previous;
  }

  void addNewest(ClockNode node) {
    add(node, ends, ends.next);
  }

  void addOldest(ClockNode node) {
    add(node, ends.previous, ends);
  }

  private void add(ClockNode node, ClockNode newer, ClockNode older) {
    node.previous = newer;
    node.next = older;
    newer.next = node;
    older.previous = node;
    node.place = place;
    weight += node.weight;
    size++;
  }

  void remove(ClockNode node) {
    node.previous.next = node.next;
    node.next.previous = node.previous;
    node.next = null;
    node.previous = null;
    node.place = ClockNode.Place.NONE;
    weight -= node.weight;
    size--;
  }

  /** Makes a node the newest. */
  void renew(ClockNode node) {
    remove(node);
    addNewest(node);
  }
}
