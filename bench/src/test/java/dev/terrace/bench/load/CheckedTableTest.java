// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.CheckedTable.CheckedValue;
import dev.terrace.bench.load.CheckedTable.Values;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
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
  private static final byte[] ROW = Bytes.toBytes("user42");
  private static final byte[] FIELD = Bytes.toBytes("field0");
  private static final byte[] KEY = Bytes.toBytes("user1");

  private static Result read(Put written) {
    return Result.create(written.getFamilyCellMap().firstEntry().getValue());
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

  private static Optional<String> fault(String row, String field, byte[] value, int expected) {
    return CheckedValue.fault(
        Bytes.toBytes(row), Bytes.toBytes(field), value, expected, Values.RANDOM);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 15, 16, 17, 100, 1_000})
  void whatWasWrittenIsRightAtEveryLength(int length) {
    for (Values values : Values.values()) {
      byte[] value = CheckedValue.of(ROW, FIELD, 7, length, values);
      assertThat(value).hasSize(length);
      assertThat(CheckedValue.fault(ROW, FIELD, value, length, values)).isEmpty();
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
    ByteBuffer block = ByteBuffer.allocate(60_000);
    for (int row = 0; block.hasRemaining(); row++) {
      block.put(CheckedValue.of(Bytes.toBytes("user" + row), FIELD, row, 1_000, values));
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
    byte[] value = CheckedValue.of(ROW, FIELD, 7, 101, Values.RANDOM);
    for (int bit = 0; bit < value.length * Byte.SIZE; bit++) {
      byte[] flipped = value.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThat(fault("user42", "field0", flipped, 101)).as("bit %d", bit).isPresent();
    }
  }

  @Test
  void theValueOfAnotherRowFieldOrLengthIsWrong() {
    byte[] value = CheckedValue.of(ROW, FIELD, 7, 100, Values.RANDOM);
    assertThat(fault("user43", "field0", value, 100)).isPresent();
    assertThat(fault("user42", "field1", value, 100)).isPresent();
    assertThat(fault("user42", "field0", value, 99)).contains("100 bytes, should be 99");
    assertThat(fault("user4", "2field0", value, 100)).isPresent();
  }

  @Test
  void twoWritesMixedAreWrong() {
    byte[] first = CheckedValue.of(ROW, FIELD, 7, 100, Values.RANDOM);
    byte[] second = CheckedValue.of(ROW, FIELD, 8, 100, Values.RANDOM);
    System.arraycopy(second, 50, first, 50, 50);
    assertThat(fault("user42", "field0", first, 100)).isPresent();
  }
}
