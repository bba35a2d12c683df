// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.fire.Chains.ChainNodes;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

final class ChainNodesTest {

  private final ChainNodes nodes = new ChainNodes(42);

  /** What a get of a row returns that was written so. */
  private static Result read(Put put) {
    return Result.create(
        put.getFamilyCellMap().values().stream()
            .flatMap(cells -> cells.stream())
            .toArray(Cell[]::new));
  }

  @Test
  void theLinksOfAChainLeadThroughAllItsNodesAndBack() {
    byte[] last = nodes.key(3, ChainNodes.LENGTH - 1);
    byte[] key = last;
    for (int node = ChainNodes.LENGTH - 1; node >= 0; node--) {
      Result found = read(nodes.put(3, node));
      assertThat(found.getRow()).isEqualTo(key);
      assertThat(nodes.fault(found, 3, node)).isEmpty();
      assertThat(ChainNodes.place(found)).isEqualTo(new ChainNodes.Place(3, node));
      key = ChainNodes.previous(found);
    }
    assertThat(key).isEqualTo(last);
  }

  @Test
  void noTwoNodesHaveOneKey() {
    Set<Long> keys = new HashSet<>();
    for (int chain = 0; chain < 20; chain++) {
      for (int node = 0; node < ChainNodes.LENGTH; node++) {
        keys.add(Bytes.toLong(nodes.key(chain, node)));
      }
    }
    assertThat(keys).hasSize(20 * ChainNodes.LENGTH);
  }

  @Test
  void aLostNodeIsNamed() {
    assertThat(nodes.fault(Result.EMPTY_RESULT, 1, 2))
        .hasValueSatisfying(fault -> assertThat(fault).contains("node 2 of chain 1", "lost"));
  }

  @Test
  void aForeignNodeIsNamed() {
    assertThat(nodes.fault(read(nodes.put(1, 3)), 1, 2))
        .hasValueSatisfying(fault -> assertThat(fault).contains("node 2 of chain 1", "foreign"));
    Result ofOtherRun = read(new ChainNodes(43).put(1, 2));
    assertThat(nodes.fault(ofOtherRun, 1, 2)).isPresent();
  }

  @Test
  void aWrongByteIsNamed() {
    Result right = read(nodes.put(1, 2));
    byte[] value = right.value().clone();
    value[100]++;
    Put wrong = new Put(right.getRow()).addColumn(ChainNodes.FAMILY, Bytes.toBytes("n"), value);
    assertThat(nodes.fault(read(wrong), 1, 2))
        .hasValueSatisfying(
            fault -> assertThat(fault).contains("node 2 of chain 1", "wrong byte at 100"));
  }

  @Test
  void aRowWithoutANodeHasNoPlace() {
    Put other = new Put(new byte[8]).addColumn(ChainNodes.FAMILY, Bytes.toBytes("x"), new byte[1]);
    assertThat(nodes.fault(read(other), ChainNodes.place(read(other)).chain(), 0)).isPresent();
  }
}
