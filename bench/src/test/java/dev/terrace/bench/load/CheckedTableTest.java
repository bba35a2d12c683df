// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckedTableTest {

  private static final CheckedTable YCSB = new CheckedTable(CheckedTable.YCSB, 1_000, 100, 3);
  private static final byte[] KEY = Bytes.toBytes("user1");

  private static Result read(Put written) {
    return Result.create(written.getFamilyCellMap().firstEntry().getValue());
  }

  @Test
  void whatWasWrittenIsRight() {
    assertThat(YCSB.fault(read(YCSB.put(KEY, 7)))).isEmpty();
  }

  @Test
  void aValueOfAnotherRowOrLengthIsFound() {
    Put other = YCSB.put(Bytes.toBytes("user2"), 7);
    byte[] foreign = CellUtil.cloneValue(other.getFamilyCellMap().firstEntry().getValue().get(0));
    Put mixed = new Put(KEY).addColumn(Bytes.toBytes("f"), Bytes.toBytes("0"), foreign);
    assertThat(YCSB.fault(read(mixed)).orElseThrow()).contains("usertable row user1", "wrong byte");

    Put longer = new CheckedTable(CheckedTable.YCSB, 1_000, 101, 3).put(KEY, 7);
    assertThat(YCSB.fault(read(longer)).orElseThrow()).contains("101 bytes, should be 100");
  }

  @Test
  void aMissingColumnIsFound() {
    Put wrong = new Put(KEY).addColumn(Bytes.toBytes("f"), Bytes.toBytes("other"), KEY);
    assertThat(YCSB.fault(read(wrong)).orElseThrow()).contains("has no value in f");
  }

  @Test
  void aRowIsLostOrForeign() {
    assertThat(YCSB.fault(read(YCSB.put(5)), 5)).isEmpty();
    assertThat(YCSB.fault(Result.EMPTY_RESULT, 5).orElseThrow()).contains("has lost row 5");
    assertThat(YCSB.fault(read(YCSB.put(6)), 5).orElseThrow()).contains("for row 5 a foreign one");
    assertThat(YCSB.fault(read(YCSB.put(YCSB.key(6), 5)), 5).orElseThrow()).contains("foreign");
    assertThat(CheckedTable.stamp(read(YCSB.put(5)))).isEqualTo(5);
    assertThat(CheckedTable.stamp(Result.EMPTY_RESULT)).isEqualTo(-1);
  }

  @Test
  void anOrderedTableHasARowInEachFamilyAndGeneration() {
    CheckedTable table = CheckedTable.ordered("t", 1_000, 100, 4, 2);
    List<Cell> cells = new ArrayList<>();
    table.put(17).getFamilyCellMap().values().forEach(cells::addAll);
    Result row = Result.create(cells);

    assertThat(table.fault(row, 17)).isEmpty();
    assertThat(table.nextGeneration().fault(row, 17).orElseThrow()).contains("foreign");
    assertThat(table.fault(Result.create(cells.subList(0, 1)), 17).orElseThrow())
        .contains("has 1 cells, should have 2");
    assertThat(table.splitKeys()).hasDimensions(3, table.key(0).length);
    assertThat(table.splitKeys()[1]).isEqualTo(table.key(500));
    assertThat(List.of(table.splitKeys())).isSortedAccordingTo(Bytes.BYTES_COMPARATOR);
  }

  @Test
  void regionsMeetAtDigits() {
    assertThat(Arrays.stream(YCSB.splitKeys()).map(Bytes::toString))
        .containsExactly("user4", "user7");
  }

  /** An update is newer than what was loaded. */
  @Test
  void theFilesHaveEachRowWithATimeBeforeNow(@TempDir File folder) throws IOException {
    YCSB.writeFiles(folder.toPath(), 2);

    Configuration local = HBaseConfiguration.create();
    int rows = 0;
    for (File file : new File(folder, "f").listFiles((dir, name) -> !name.startsWith("."))) {
      Path path = new Path(file.toURI());
      try (HFile.Reader reader = HFile.createReader(FileSystem.getLocal(local), path, local)) {
        HFileScanner cells = reader.getScanner(local, false, false);
        assertThat(cells.seekTo()).isTrue();
        do {
          assertThat(cells.getCell().getTimestamp()).isBetween(1L, System.currentTimeMillis());
          rows++;
        } while (cells.next());
      }
    }
    assertThat(rows).isEqualTo(1_000);
  }
}
