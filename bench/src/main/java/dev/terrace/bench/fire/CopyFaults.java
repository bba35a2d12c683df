// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.FaultLane.Fault;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Copies of tables: snapshots, clones and restores. Clones share files with their table, and so
 * blocks in the cache. Each copy is read and verified, and dropped.
 */
final class CopyFaults {

  private static final TableName CLONE = TableName.valueOf("fire-clone");
  private static final String SNAPSHOT = "fire-snapshot";
  private static final String OF_CLONE = "fire-snapshot-clone";
  private static final int ROWS_TO_DELETE = 300;

  /** More would take longer than other faults. */
  private static final long MOST_ROWS = 2_000;

  private final Connection connection;
  private final Admin admin;
  private final VerifiedLoad load;
  private final Batches batches;

  CopyFaults(Connection connection, Admin admin, VerifiedLoad load, Batches batches) {
    this.connection = connection;
    this.admin = admin;
    this.load = load;
    this.batches = batches;
  }

  /** Does it to one of the tables. */
  String copy(SplittableRandom random) throws IOException {
    dropCopies();
    boolean isLoad = random.nextBoolean();
    TableName table = isLoad ? VerifiedLoad.TABLE : Batches.TABLE;
    long rows = Math.min(MOST_ROWS, load.written());
    List<Integer> complete = batches.complete();
    admin.snapshot(SNAPSHOT, table);
    admin.cloneSnapshot(SNAPSHOT, CLONE);
    check(isLoad, rows, complete);
    boolean isSplit = random.nextBoolean();
    if (isSplit) {
      split(random);
      check(isLoad, rows, complete);
    }
    admin.snapshot(OF_CLONE, CLONE);
    deleteSomeOfClone();
    admin.disableTable(CLONE);
    admin.restoreSnapshot(OF_CLONE);
    admin.enableTable(CLONE);
    check(isLoad, rows, complete);
    dropCopies();
    return table + " cloned, " + (isSplit ? "split, " : "") + "restored, dropped";
  }

  /** The halves read the files of the copied table by links, until they are compacted. */
  private void split(SplittableRandom random) throws IOException {
    RegionInfo region = Fault.one(random, admin.getRegions(CLONE));
    String unused = TableFaults.await(admin.splitRegionAsync(region.getRegionName()));
    if (random.nextBoolean()) {
      admin.majorCompact(CLONE);
    }
  }

  /**
   * Past the log of writes. A server that is killed after the restore would have its log replayed,
   * and HBase would delete the rows again.
   */
  private void deleteSomeOfClone() throws IOException {
    try (Table clone = connection.getTable(CLONE);
        ResultScanner rows = clone.getScanner(new Scan().setLimit(ROWS_TO_DELETE))) {
      for (Result row : rows) {
        clone.delete(new Delete(row.getRow()).setDurability(Durability.SKIP_WAL));
      }
    }
  }

  private void check(boolean isLoad, long rows, List<Integer> complete) throws IOException {
    if (isLoad) {
      load.readAll(CLONE, rows, 1);
    } else {
      batches.scan(CLONE, complete);
    }
  }

  /** Drops what this or an interrupted copy left. */
  void dropCopies() throws IOException {
    if (admin.tableExists(CLONE)) {
      if (admin.isTableEnabled(CLONE)) {
        admin.disableTable(CLONE);
      }
      admin.deleteTable(CLONE);
    }
    admin.deleteSnapshots(Pattern.compile(SNAPSHOT + ".*"));
  }
}
