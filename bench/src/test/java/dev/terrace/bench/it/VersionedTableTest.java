// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

final class VersionedTableTest {

  private final VersionedTable table = new VersionedTable("t", 1_000, 4, 3, 1_024);

  private static Result resultOf(Put put) {
    List<Cell> cells = new ArrayList<>();
    put.getFamilyCellMap().values().forEach(cells::addAll);
    cells.sort(CellComparator.getInstance());
    return Result.create(cells);
  }

  @Test
  void aRowThatIsReadAsItWasWrittenHasNoFault() {
    assertThat(table.fault(17, resultOf(table.put(17)))).isEmpty();
  }

  @Test
  void familiesShareTheBytesOfARow() {
    long bytes = 0;
    for (Cell cell : resultOf(table.put(5)).rawCells()) {
      bytes += cell.getValueLength();
    }
    assertThat(bytes).isEqualTo(1_024);
  }

  @Test
  void anotherRowIsAFault() {
    assertThat(table.fault(17, resultOf(table.put(18))))
        .get()
        .asString()
        .contains("row 17", "row0000000018");
  }

  @Test
  void noRowIsAFault() {
    assertThat(table.fault(17, Result.EMPTY_RESULT)).isPresent();
  }

  @Test
  void aFlippedBitIsNamed() {
    Put put = table.put(17);
    byte[] family = Bytes.toBytes("f2");
    Cell cell = put.getFamilyCellMap().get(family).get(0);
    cell.getValueArray()[cell.getValueOffset() + 100] ^= 1;
    assertThat(table.fault(17, resultOf(put)))
        .get()
        .asString()
        .contains("row 17 family 2: byte 100 is ");
  }

  @Test
  void aMissingFamilyIsNamed() {
    Put whole = table.put(17);
    Put put = new Put(table.key(17));
    for (String family : List.of("f1", "f2")) {
      put.addColumn(
          Bytes.toBytes(family),
          Bytes.toBytes("v"),
          org.apache.hadoop.hbase.CellUtil.cloneValue(
              whole.getFamilyCellMap().get(Bytes.toBytes(family)).get(0)));
    }
    assertThat(table.fault(17, resultOf(put))).get().asString().contains("family 3: no value");
  }

  @Test
  void valuesOfAnotherGenerationAreFaults() {
    assertThat(table.nextGeneration().fault(17, resultOf(table.put(17)))).isPresent();
    assertThat(table.nextGeneration().fault(17, resultOf(table.nextGeneration().put(17))))
        .isEmpty();
  }

  @Test
  void regionsMeetWhereTheirFirstRowsAre() {
    assertThat(table.splitKeys()).hasDimensions(3, table.key(0).length);
    assertThat(table.splitKeys()[1]).isEqualTo(table.key(500));
    assertThat(table.firstRowOf(4)).isEqualTo(1_000);
    assertThat(Arrays.asList(table.splitKeys())).isSortedAccordingTo(Bytes.BYTES_COMPARATOR);
  }
}
