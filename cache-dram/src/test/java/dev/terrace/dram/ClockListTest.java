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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClockListTest {

  private static final class Node extends ClockNode {
    Node(int weight) {
      super(0, weight);
    }
  }

  private final ClockTinyLfu.ClockList list = new ClockTinyLfu.ClockList(ClockNode.Place.MAIN);
  private final Node one = new Node(1);
  private final Node two = new Node(20);
  private final Node three = new Node(300);

  private List<ClockNode> oldestFirst() {
    List<ClockNode> nodes = new ArrayList<>();
    for (ClockNode node = list.oldest(); node != null; node = list.newerThan(node)) {
      nodes.add(node);
    }
    return nodes;
  }

  private void fill() {
    list.addNewest(one);
    list.addNewest(two);
    list.addNewest(three);
  }

  @Test
  void anEmptyListHasNoOldest() {
    assertThat(list.oldest()).isNull();
    assertThat(list.size()).isZero();
    assertThat(list.weight()).isZero();
  }

  @Test
  void nodesComeInTheOrderOfTheirAge() {
    fill();
    assertThat(oldestFirst()).containsExactly(one, two, three);
    assertThat(list.size()).isEqualTo(3);
    assertThat(list.weight()).isEqualTo(321);
    assertThat(two.place).isEqualTo(ClockNode.Place.MAIN);
  }

  @Test
  void aRenewedNodeIsTheNewest() {
    fill();
    list.renew(one);
    assertThat(oldestFirst()).containsExactly(two, three, one);
    list.renew(three);
    assertThat(oldestFirst()).containsExactly(two, one, three);
    assertThat(list.size()).isEqualTo(3);
    assertThat(list.weight()).isEqualTo(321);
  }

  @Test
  void aRemovedNodeIsNowhere() {
    fill();
    list.remove(two);
    assertThat(two.place).isEqualTo(ClockNode.Place.NONE);
    assertThat(oldestFirst()).containsExactly(one, three);
    assertThat(list.weight()).isEqualTo(301);
    list.remove(one);
    list.remove(three);
    assertThat(list.oldest()).isNull();
    assertThat(list.size()).isZero();
    assertThat(list.weight()).isZero();
    list.addNewest(two);
    assertThat(oldestFirst()).containsExactly(two);
  }

  @Test
  void hitsAreNotedUpToThree() {
    for (int hits = 1; hits < 6; hits++) {
      one.noteHit();
      assertThat(one.hits()).isEqualTo(Math.min(hits, ClockNode.MOST_HITS));
    }
  }
}
