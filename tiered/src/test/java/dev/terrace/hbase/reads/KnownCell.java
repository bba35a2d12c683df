// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Cells whose values are derived from their keys, and names to compare them by. */
final class KnownCell {

  private KnownCell() {}

  /** The value of a cell. */
  static byte[] value(byte[] row, byte[] family, byte[] qualifier, long timestamp, int bytes) {
    byte[] value = new byte[bytes];
    new SplittableRandom(31L * Arrays.hashCode(Bytes.add(row, family, qualifier)) + timestamp)
        .nextBytes(value);
    ByteBuffer.wrap(value).putInt(bytes);
    return value;
  }

  /** A put of cells of one family and size, which its log leaves out. */
  static Put put(byte[] row, long timestamp, int bytes, byte[] family, byte[]... qualifiers) {
    Put put = new Put(row, timestamp).setDurability(Durability.SKIP_WAL);
    for (byte[] qualifier : qualifiers) {
      put.addColumn(family, qualifier, value(row, family, qualifier, timestamp, bytes));
    }
    return put;
  }

  static String name(byte[] row, byte[] family, byte[] qualifier, long timestamp) {
    return Bytes.toStringBinary(row)
        + "/"
        + Bytes.toStringBinary(family)
        + ":"
        + Bytes.toStringBinary(qualifier)
        + "/"
        + timestamp;
  }

  /** The name of a cell that was read, which tells if its value is wrong. */
  static String name(Cell cell) {
    byte[] row = CellUtil.cloneRow(cell);
    byte[] family = CellUtil.cloneFamily(cell);
    byte[] qualifier = CellUtil.cloneQualifier(cell);
    String name = name(row, family, qualifier, cell.getTimestamp());
    byte[] value = CellUtil.cloneValue(cell);
    return Arrays.equals(value, value(row, family, qualifier, cell.getTimestamp(), size(value)))
        ? name
        : name + " with a wrong value of " + value.length + " bytes";
  }

  /** The size that a value says it has. */
  private static int size(byte[] value) {
    int size = value.length < Integer.BYTES ? -1 : ByteBuffer.wrap(value).getInt();
    return size == value.length ? size : Integer.BYTES;
  }
}
