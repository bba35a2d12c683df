// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.LastErrorException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** With the calls of the kernel. On two nodes: {@code bench/powercut/nodes}. */
class MemoryNodesTest {

  private static final long TWO_NODES = 0b11;

  private static LibC libC() {
    Optional<LibC> libC = LibC.load();
    assumeTrue(libC.isPresent(), "no JNA");
    try {
      libC.get().hasDefaultMemoryPolicy();
    } catch (LastErrorException e) {
      assumeTrue(false, "this kernel or container has no policies of memory");
    }
    return libC.get();
  }

  @Test
  void aThreadHasThePolicyForAsLongAsItSpreads() {
    LibC c = libC();
    // Only those of the nodes that are there count for the kernel.
    MemoryNodes nodes = new MemoryNodes(TWO_NODES, Optional.of(c));
    assertThat(nodes)
        .hasToString(
            "2 nodes of memory, over which DRAM, indexes and new files on a tmpfs are spread");
    ByteBuffer memory =
        nodes.spread(
            () -> {
              assertThat(c.hasDefaultMemoryPolicy()).isFalse();
              nodes.spread(() -> {});
              assertThat(c.hasDefaultMemoryPolicy()).as("as it was before").isFalse();
              assertThat(nodes.toString()).contains("spreads nothing", "numactl");
              return ByteBuffer.allocateDirect(1 << 20);
            });
    assertThat(memory.capacity()).isEqualTo(1 << 20);
    assertThat(c.hasDefaultMemoryPolicy()).isTrue();
  }

  @Test
  void nothingHappensOnOneNode() {
    LibC c = libC();
    MemoryNodes nodes = new MemoryNodes(1, Optional.of(c));
    nodes.spread(() -> assertThat(c.hasDefaultMemoryPolicy()).isTrue());
    assertThat(nodes).hasToString("one node of memory");
  }

  @Test
  void withoutJnaNothingIsSpread() {
    MemoryNodes nodes = new MemoryNodes(TWO_NODES, Optional.empty());
    assertThat(nodes.spread(() -> 7)).isEqualTo(7);
    assertThat(nodes.toString()).contains("JNA cannot load its library");
  }

  @Test
  void readsListsOfTheKernel() {
    assertThat(MemoryNodes.bits("0\n")).isEqualTo(1);
    assertThat(MemoryNodes.bits("\t0-1,4\n")).isEqualTo(0b10011);
    assertThat(MemoryNodes.bits("\n")).isZero();
    assertThat(MemoryNodes.bits("62-80")).isEqualTo(0b11L << 62);
    assertThat(MemoryNodes.bits("80")).isZero();
  }
}
