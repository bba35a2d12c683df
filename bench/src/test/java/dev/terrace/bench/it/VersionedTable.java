// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table whose every byte can be checked: rows with numbers from 0, one cell in each family, and
 * values that follow from row, family and generation. Immutable.
 */
public final class VersionedTable {

  private static final byte[] QUALIFIER = {'v'};
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long WEYL_STEP = 0x9E3779B97F4A7C15L;

  private final TableName name;
  private final long rows;
  private final int regions;
  private final List<byte[]> families = new ArrayList<>();
  private final int[] cellBytes;
  private final int generation;

  /**
   * Describes a table of the first generation.
   *
   * @param name its name in HBase
   * @param rows how many rows it has, one or more
   * @param regions how many regions it is created with, one or more
   * @param familyCount how many families it has, one or more
   * @param rowBytes bytes of value in a row, which its families share evenly
   */
  public VersionedTable(String name, long rows, int regions, int familyCount, int rowBytes) {
    this(name, rows, regions, cellSizes(familyCount, rowBytes), 1);
  }

  private VersionedTable(String name, long rows, int regions, int[] cellBytes, int generation) {
    this.name = TableName.valueOf(name);
    this.rows = rows;
    this.regions = regions;
    this.cellBytes = cellBytes;
    this.generation = generation;
    for (int i = 0; i < cellBytes.length; i++) {
      families.add(("f" + (i + 1)).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static int[] cellSizes(int families, int rowBytes) {
    int[] sizes = new int[families];
    for (int i = 0; i < families; i++) {
      sizes[i] = rowBytes / families + (i < rowBytes % families ? 1 : 0);
    }
    return sizes;
  }

  /** Returns the same table with other values in every row. */
  public VersionedTable nextGeneration() {
    return new VersionedTable(name.getNameAsString(), rows, regions, cellBytes, generation + 1);
  }

  /** Returns its name in HBase. */
  public TableName name() {
    return name;
  }

  /** Returns how many rows it has. */
  public long rows() {
    return rows;
  }

  /** Returns how many regions it is created with. */
  public int regions() {
    return regions;
  }

  /**
   * Returns the number of the first row of a region; that of the region after the last is the
   * number of rows.
   */
  public long firstRowOf(int region) {
    return rows * region / regions;
  }

  /** Returns the key of a row; keys are in the order of the numbers. */
  public byte[] key(long row) {
    return String.format(Locale.ROOT, "row%010d", row).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns what HBase creates it from. */
  public TableDescriptor descriptor() {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (byte[] family : families) {
      builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    return builder.build();
  }

  /** Returns the keys at which the regions meet; none when there is one region. */
  public byte[][] splitKeys() {
    byte[][] keys = new byte[regions - 1][];
    for (int region = 1; region < regions; region++) {
      keys[region - 1] = key(firstRowOf(region));
    }
    return keys;
  }

  /** Returns what writes a row. */
  public Put put(long row) {
    Put put = new Put(key(row));
    for (int family = 0; family < cellBytes.length; family++) {
      put.addColumn(families.get(family), QUALIFIER, value(row, family));
    }
    return put;
  }

  /** Returns what is wrong with a row that was read, or nothing. */
  public Optional<String> fault(long row, Result read) {
    if (!Arrays.equals(read.getRow(), key(row))) {
      return Optional.of("row " + row + " was read as " + Bytes.toStringBinary(read.getRow()));
    }
    for (int family = 0; family < cellBytes.length; family++) {
      byte[] actual = read.getValue(families.get(family), QUALIFIER);
      byte[] expected = value(row, family);
      int at = actual == null ? 0 : Arrays.mismatch(expected, actual);
      if (at >= 0) {
        return Optional.of(
            "row " + row + " family " + (family + 1) + ": " + describe(expected, actual, at));
      }
    }
    return Optional.empty();
  }

  private static String describe(byte[] expected, byte[] actual, int at) {
    if (actual == null) {
      return "no value, should have " + expected.length + " bytes";
    }
    if (at >= actual.length || at >= expected.length) {
      return actual.length + " bytes, should be " + expected.length;
    }
    return "byte " + at + " is " + (actual[at] & 0xff) + ", should be " + (expected[at] & 0xff);
  }

  /**
   * The output of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014), seeded by row, family and
   * generation.
   */
  private byte[] value(long row, int family) {
    byte[] value = new byte[cellBytes[family]];
    long state = mix((row * families.size() + family + 1) ^ ((long) generation << 48));
    int at = 0;
    for (; at + Long.BYTES <= value.length; at += Long.BYTES) {
      state += WEYL_STEP;
      LONGS.set(value, at, mix(state));
    }
    long last = mix(state + WEYL_STEP);
    for (; at < value.length; at++, last >>>= Byte.SIZE) {
      value[at] = (byte) last;
    }
    return value;
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
