// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A table with MOB whose rows have many cells, so that a batch of a compaction has several. Every
 * fifth value is large enough for a MOB file. Values follow from row, column and generation.
 *
 * @param rows how many rows it has
 * @param columns how many cells a row has, at most 26
 */
record WideTable(String table, int rows, int columns) {

  private static final byte[] FAMILY = {'f'};
  private static final int MOB_THRESHOLD_BYTES = 500;
  private static final int VALUE_BYTES = 250;
  private static final int MOB_VALUE_BYTES = 600;
  private static final int EVERY_MOB = 5;

  TableName name() {
    return TableName.valueOf(table);
  }

  TableDescriptor descriptor(int blockBytes) {
    return TableDescriptorBuilder.newBuilder(name())
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setMobEnabled(true)
                .setMobThreshold(MOB_THRESHOLD_BYTES)
                .setBlocksize(blockBytes)
                .build())
        .build();
  }

  /** What writes all rows of a generation. */
  List<Put> puts(int generation) {
    List<Put> puts = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      Put put = new Put(key(row));
      for (int column = 0; column < columns; column++) {
        put.addColumn(FAMILY, qualifier(column), value(row, column, generation));
      }
      puts.add(put);
    }
    return puts;
  }

  /** Scans all rows, and gets each of them; the rows that are not as they were written. */
  List<String> faults(Table source, int generation) throws IOException {
    List<String> faults = new ArrayList<>();
    int row = 0;
    try (ResultScanner scanner = source.getScanner(new Scan().setCaching(100))) {
      for (Result result : scanner) {
        addFault(faults, "scanned", row++, generation, result);
      }
    }
    if (row != rows) {
      faults.add(row + " rows were scanned, not " + rows);
    }
    List<Get> gets = new ArrayList<>();
    for (row = 0; row < rows; row++) {
      gets.add(new Get(key(row)));
    }
    Result[] results = source.get(gets);
    for (row = 0; row < rows; row++) {
      addFault(faults, "got", row, generation, results[row]);
    }
    return faults;
  }

  private void addFault(List<String> faults, String how, int row, int generation, Result read) {
    boolean isRight = read.size() == columns && Arrays.equals(read.getRow(), key(row));
    for (int column = 0; column < columns && isRight; column++) {
      byte[] value = read.getValue(FAMILY, qualifier(column));
      isRight = Arrays.equals(value, value(row, column, generation));
    }
    if (!isRight) {
      faults.add("row " + row + " was " + how + " as " + read);
    }
  }

  private static byte[] key(int row) {
    return String.format(Locale.ROOT, "row%06d", row).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] qualifier(int column) {
    return new byte[] {(byte) ('a' + column)};
  }

  private static byte[] value(int row, int column, int generation) {
    byte[] value = new byte[column % EVERY_MOB == 0 ? MOB_VALUE_BYTES : VALUE_BYTES];
    new Random(((long) generation << 48) + ((long) row << 8) + column).nextBytes(value);
    return value;
  }
}
