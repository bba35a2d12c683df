// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of random families, and random changes to it. */
final class RandomTable {

  static final int ROWS = 60;
  static final int ROW_BYTES = Long.BYTES;
  static final int COLUMNS = 6;
  static final int TIMESTAMPS = 1000;
  static final List<byte[]> FAMILIES = List.of(Bytes.toBytes("f"), Bytes.toBytes("g"));
  static final List<String> LABELS = List.of("secret", "top");

  private static final int SMALL = 600;
  private static final int LARGE = 60_000;
  private static final int LARGE_EVERY = 40;
  private static final List<DataBlockEncoding> ENCODINGS =
      List.of(
          DataBlockEncoding.NONE,
          DataBlockEncoding.PREFIX,
          DataBlockEncoding.DIFF,
          DataBlockEncoding.FAST_DIFF,
          DataBlockEncoding.ROW_INDEX_V1);
  private static final List<BloomType> BLOOMS =
      List.of(BloomType.NONE, BloomType.ROW, BloomType.ROWCOL);
  private static final List<String> EXPRESSIONS =
      List.of("secret", "top", "secret|top", "secret&top", "!secret");

  private final Random random;
  private final boolean isLabelled;
  private boolean hasFakeKeys;
  private boolean hasMobs;
  private boolean hasDeletes;

  RandomTable(Random random, boolean isLabelled) {
    this.random = random;
    this.isLabelled = isLabelled;
  }

  static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "row%05d", number));
  }

  static byte[] column(int number) {
    return Bytes.toBytes("q" + number);
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** A description of the table, without its name. */
  TableDescriptor description() {
    hasFakeKeys = false;
    hasMobs = false;
    TableDescriptor description =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("any"))
            .setColumnFamilies(FAMILIES.stream().map(this::family).toList())
            .build();
    // Not the first draw, which is alike for the seeds of all tables.
    hasDeletes = random.nextBoolean();
    return description;
  }

  private ColumnFamilyDescriptor family(byte[] name) {
    boolean isNewBehavior = random.nextInt(4) == 0;
    // HBase's server loops over a ROWCOL filter's fake keys in such a family, with any cache.
    BloomType bloom = isNewBehavior ? BloomType.ROW : one(BLOOMS);
    hasFakeKeys |= bloom == BloomType.ROWCOL;
    return ColumnFamilyDescriptorBuilder.newBuilder(name)
        .setBlocksize(512 << random.nextInt(5))
        .setMaxVersions(1 + random.nextInt(4))
        .setDataBlockEncoding(one(ENCODINGS))
        .setBloomFilterType(bloom)
        .setMobEnabled(isMob())
        .setMobThreshold(SMALL / 2)
        .setNewVersionBehavior(isNewBehavior)
        .setKeepDeletedCells(
            random.nextInt(4) == 0 ? KeepDeletedCells.TRUE : KeepDeletedCells.FALSE)
        .build();
  }

  /** Whether a family that was described has a ROWCOL filter: keys stand for columns it lacks. */
  boolean hasFakeKeys() {
    return hasFakeKeys;
  }

  private boolean isMob() {
    boolean isMob = random.nextInt(4) == 0;
    hasMobs |= isMob;
    return isMob;
  }

  /** Whether a family that was described keeps large values in files of their own. */
  boolean hasMobs() {
    return hasMobs;
  }

  /**
   * Whether cells are deleted. A flush or a compaction may then change what HBase finds: it drops a
   * delete that masked a later put, and counts deleted versions as others.
   */
  boolean hasDeletes() {
    return hasDeletes;
  }

  /** A put of some cells, or a delete. */
  Mutation mutation() {
    byte[] row = row(random.nextInt(ROWS));
    long timestamp = 1L + random.nextInt(TIMESTAMPS);
    Mutation mutation =
        hasDeletes && random.nextInt(8) == 0 ? delete(row, timestamp) : put(row, timestamp);
    if (isLabelled && random.nextInt(3) > 0) {
      mutation.setCellVisibility(new CellVisibility(one(EXPRESSIONS)));
    }
    return mutation.setDurability(Durability.SKIP_WAL);
  }

  private Put put(byte[] row, long timestamp) {
    Put put = new Put(row, timestamp);
    for (int i = 1 + random.nextInt(COLUMNS); i > 0; i--) {
      byte[] family = one(FAMILIES);
      byte[] column = column(random.nextInt(COLUMNS));
      // A cell that is written again has the same value, whichever of them is read.
      int bytes = sizeOf(row, family, column, timestamp);
      put.addColumn(family, column, KnownCell.value(row, family, column, timestamp, bytes));
    }
    return put;
  }

  private static int sizeOf(byte[] row, byte[] family, byte[] column, long timestamp) {
    Random size = new Random(Bytes.hashCode(Bytes.add(row, family, column)) * 31L + timestamp);
    return Long.BYTES + size.nextInt(size.nextInt(LARGE_EVERY) == 0 ? LARGE : SMALL);
  }

  private Delete delete(byte[] row, long timestamp) {
    Delete delete = new Delete(row);
    byte[] family = one(FAMILIES);
    byte[] column = column(random.nextInt(COLUMNS));
    return switch (random.nextInt(4)) {
      case 0 -> delete.addFamily(family, timestamp);
      case 1 -> delete.addFamilyVersion(family, timestamp);
      case 2 -> delete.addColumns(family, column, timestamp);
      default -> delete.addColumn(family, column, timestamp);
    };
  }
}
