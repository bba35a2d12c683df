// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.CheckedTable.Values;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CheckedTableTest {

  private static final CheckedTable YCSB = new CheckedTable(CheckedTable.YCSB, 1_000, 100, 3);
  private static final byte[] FAMILY = CheckedTable.FAMILY;
  private static final byte[] KEY = Bytes.toBytes("user1");

  private static List<Cell> cells(Put written) {
    List<Cell> cells = new ArrayList<>();
    written.getFamilyCellMap().values().forEach(cells::addAll);
    return cells;
  }

  private static Result read(Put written) {
    return Result.create(cells(written));
  }

  private static byte[] value(CheckedTable table, String key, long stamp) {
    Put put = table.put(Bytes.toBytes(key), stamp);
    return CellUtil.cloneValue(cells(put).get(0));
  }

  private static Optional<String> fault(String key, byte[] value) {
    Put put = new Put(Bytes.toBytes(key)).addColumn(FAMILY, Bytes.toBytes("0"), value);
    return YCSB.fault(read(put));
  }

  @Test
  void aValueOfAnotherRowOrLengthIsFound() {
    assertThat(fault("user1", value(YCSB, "user1", 7))).isEmpty();
    assertThat(fault("user1", value(YCSB, "user2", 7)).orElseThrow())
        .contains("usertable row user1", "wrong byte");
    CheckedTable longer = new CheckedTable(CheckedTable.YCSB, 1_000, 101, 3);
    assertThat(fault("user1", value(longer, "user1", 7)).orElseThrow())
        .contains("wrong byte at 100");
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
    List<Cell> cells = cells(table.put(17));
    Result row = Result.create(cells);

    assertThat(table.fault(row, 17)).isEmpty();
    assertThat(table.nextGeneration().fault(row, 17).orElseThrow()).contains("foreign");
    assertThat(table.fault(Result.create(cells.subList(0, 1)), 17).orElseThrow())
        .contains("has 1 cells, should have 2");
    assertThat(table.splitKeys()).hasDimensions(3, table.key(0).length);
    assertThat(table.splitKeys()[1]).isEqualTo(table.key(500));
    assertThat(List.of(table.splitKeys())).isSortedAccordingTo(Bytes.BYTES_COMPARATOR);
  }

  /** An update is newer than what was loaded. */
  @Test
  void theFilesHaveEachRowWithATimeBeforeNow(@TempDir File folder) throws IOException {
    YCSB.writeFiles(folder.toPath());

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

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 15, 16, 17, 100, 1_000})
  void whatWasWrittenIsRightAtEveryLength(int length) {
    for (Values values : Values.values()) {
      CheckedTable table = new CheckedTable(CheckedTable.YCSB, 1_000, length, values, 1, 1);
      int least = values == Values.VARIED ? Long.BYTES : length;
      assertThat(value(table, "user1", 7)).hasSizeBetween(least, length);
      assertThat(table.fault(read(table.put(KEY, 7)))).isEmpty();
    }
  }

  /**
   * As a tier compresses them: {@code bench cases h} needs some that shrink, and some that do not.
   */
  @Test
  void allButRandomBytesShrink() {
    assertThat(deflatedShare(Values.RANDOM)).isGreaterThan(0.95);
    assertThat(deflatedShare(Values.WORDS)).isLessThan(0.5);
  }

  private static double deflatedShare(Values values) {
    CheckedTable table = new CheckedTable(CheckedTable.YCSB, 1_000, 1_000, values, 1, 1);
    ByteBuffer block = ByteBuffer.allocate(60_000);
    for (int row = 0; block.hasRemaining(); row++) {
      block.put(value(table, "user" + row, row));
    }
    Deflater deflater = new Deflater();
    deflater.setInput(block.array());
    deflater.finish();
    int bytes = deflater.deflate(new byte[2 * block.capacity()]);
    deflater.end();
    return (double) bytes / block.capacity();
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] value = value(YCSB, "user1", 7);
    for (int bit = 0; bit < value.length * Byte.SIZE; bit++) {
      byte[] flipped = value.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThat(fault("user1", flipped)).as("bit %d", bit).isPresent();
    }
  }

  @Test
  void twoWritesMixedAreWrong() {
    byte[] first = value(YCSB, "user1", 7);
    System.arraycopy(value(YCSB, "user1", 8), 50, first, 50, 50);
    assertThat(fault("user1", first)).isPresent();
  }

  @Test
  void theValueOfAnotherFamilyIsWrong() {
    CheckedTable table = CheckedTable.ordered("t", 1_000, 100, 1, 2);
    List<Cell> cells = cells(table.put(17));
    byte[] foreign = CellUtil.cloneValue(cells.get(1));
    Put swapped = new Put(table.key(17));
    swapped.addColumn(FAMILY, Bytes.toBytes("0"), foreign);
    swapped.addColumn(Bytes.toBytes("f2"), Bytes.toBytes("0"), foreign);
    assertThat(table.fault(read(swapped)).orElseThrow()).contains("wrong byte");
  }
}
