// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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

  private final EvictionPolicy.ClockList list = new EvictionPolicy.ClockList();
  private final Node one = new Node(1);
  private final Node two = new Node(20);
  private final Node three = new Node(300);

  private List<ClockNode> oldestFirst() {
    List<ClockNode> nodes = new ArrayList<>();
    ClockNode node = list.oldest();
    for (int i = 0; i < list.size(); i++, node = node.previous) {
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
    assertThat(two.list).isSameAs(list);
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
    assertThat(two.list).isNull();
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
      one.recordHit();
      assertThat(one.hits()).isEqualTo(Math.min(hits, ClockNode.MAX_HITS));
    }
  }
}
