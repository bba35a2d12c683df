// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import static dev.terrace.bench.fire.FaultLane.Fault.one;

import dev.terrace.bench.fire.Cluster.RegionServer;
import dev.terrace.bench.fire.FaultLane.Fault;
import dev.terrace.bench.inside.ServerContents.RegionEvents;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.commons.io.function.IOConsumer;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine;

/**
 * What an operator, the balancer and the load do to regions and to copies of tables, and what an
 * operator changes online: column families, settings of a server, cached blocks.
 */
record TableFaults(
    Cluster cluster, Connection connection, Admin admin, List<Batches> tables, Timeline timeline) {

  private static final TableName CLONE = TableName.valueOf("fire-clone");
  private static final String SNAPSHOT = "fire-snapshot";
  private static final String OF_CLONE = "fire-snapshot-clone";
  private static final int ROWS_TO_DELETE = 300;

  private static final int MAX_REGIONS = 16;
  private static final int MIN_REGIONS = 3;

  /** After that, a procedure that waits for a dead server is left to itself. */
  private static final long PROCEDURE_SECONDS = 30;

  private static final Duration COMPACTION_LIMIT = Duration.ofSeconds(15);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final long MOB_THRESHOLD_BYTES = 900;
  private static final String HOT_MILLIS = "180000";
  private static final List<String> BOTH = List.of("false", "true");

  /** Values of the attributes of a family, as the HBase shell sets them. */
  private static final Map<String, List<String>> ATTRIBUTES =
      Map.of(
          ColumnFamilyDescriptorBuilder.COMPRESSION,
          List.of("NONE", "GZ"),
          ColumnFamilyDescriptorBuilder.DATA_BLOCK_ENCODING,
          List.of("NONE", "FAST_DIFF", "PREFIX", "ROW_INDEX_V1"),
          ColumnFamilyDescriptorBuilder.BLOOMFILTER,
          List.of("NONE", "ROW", "ROWCOL"),
          // MOB is never turned off: HBase would then return references instead of values.
          ColumnFamilyDescriptorBuilder.IS_MOB,
          List.of("true"),
          HConstants.IN_MEMORY,
          BOTH,
          ColumnFamilyDescriptorBuilder.BLOCKCACHE,
          BOTH,
          ColumnFamilyDescriptorBuilder.PREFETCH_BLOCKS_ON_OPEN,
          BOTH,
          ColumnFamilyDescriptorBuilder.CACHE_DATA_ON_WRITE,
          BOTH);

  List<Fault> all() {
    return List.of(
        new Fault("move", 4, this::move),
        new Fault("balance", 1, this::balance),
        new Fault("split", 2, this::split),
        new Fault("merge", 2, this::merge),
        new Fault("flush", 3, random -> onTable(random, admin::flush)),
        new Fault("compact", 2, random -> onTable(random, admin::compact)),
        new Fault("major compact", 2, random -> onTable(random, admin::majorCompact)),
        new Fault("compaction fails", 2, this::failCompaction),
        new Fault("alter", 3, this::alter),
        new Fault("clear cache", 1, random -> onTable(random, admin::clearBlockCache)),
        new Fault("update config", 2, this::updateConfig),
        new Fault("snapshot", 2, this::copy));
  }

  private String move(SplittableRandom random) throws IOException {
    RegionInfo region = one(random, regions(one(random, tables).name()));
    List<ServerName> servers =
        admin.getRegionServers().stream()
            .sorted(Comparator.comparingInt(ServerName::getPort))
            .toList();
    ServerName target = one(random, servers);
    admin.move(region.getEncodedNameAsBytes(), target);
    return region.getEncodedName() + " to port " + target.getPort();
  }

  private String balance(SplittableRandom random) throws IOException {
    boolean before = admin.balancerSwitch(true, true);
    try {
      return admin.balance() ? "ran" : "had nothing to do";
    } finally {
      boolean unused = admin.balancerSwitch(before, true);
    }
  }

  private String split(SplittableRandom random) throws IOException {
    List<RegionInfo> regions = regions(one(random, tables).name());
    RegionInfo region = one(random, regions);
    if (regions.size() >= MAX_REGIONS) {
      throw new IOException(regions.size() + " regions are enough");
    }
    return await(admin.splitRegionAsync(region.getRegionName())) + region.getEncodedName();
  }

  private String merge(SplittableRandom random) throws IOException {
    List<RegionInfo> regions = regions(one(random, tables).name());
    if (regions.size() <= MIN_REGIONS) {
      throw new IOException("only " + regions.size() + " regions");
    }
    int first = random.nextInt(regions.size() - 1);
    byte[][] both = {
      regions.get(first).getEncodedNameAsBytes(), regions.get(first + 1).getEncodedNameAsBytes()
    };
    return await(admin.mergeRegionsAsync(both, false))
        + regions.get(first).getEncodedName()
        + " and the next";
  }

  private String onTable(SplittableRandom random, IOConsumer<TableName> act) throws IOException {
    TableName table = one(random, tables).name();
    act.accept(table);
    return table.getNameAsString();
  }

  /** Makes one compaction on each server fail in the middle, if one starts soon. */
  private String failCompaction(SplittableRandom random) throws IOException {
    List<Path> markers =
        cluster.servers().stream()
            .map(server -> server.daemon().temporary())
            .map(folder -> folder.resolve(RegionEvents.MARKER))
            .toList();
    try {
      for (Path marker : markers) {
        Files.createFile(marker);
      }
      String table = onTable(random, admin::majorCompact);
      long begin = System.nanoTime();
      long left = markers.size();
      while (left > 0
          && System.nanoTime() - begin < COMPACTION_LIMIT.toNanos()
          && !timeline.pause(LOOK_EVERY)) {
        left = markers.stream().filter(Files::exists).count();
      }
      if (left == markers.size()) {
        throw new IOException("no compaction of " + table + " began");
      }
      return table + " on " + (markers.size() - left) + " servers";
    } finally {
      for (Path marker : markers) {
        Files.deleteIfExists(marker);
      }
    }
  }

  /** Returns the regions in the order of their keys. */
  private List<RegionInfo> regions(TableName table) throws IOException {
    return admin.getRegions(table).stream().sorted(RegionInfo.COMPARATOR).toList();
  }

  /** Waits for a procedure, but not for one that waits for a dead server. */
  static String await(Future<Void> procedure) throws IOException {
    try {
      procedure.get(PROCEDURE_SECONDS, TimeUnit.SECONDS);
      return "";
    } catch (TimeoutException e) {
      return "goes on: ";
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("a fault was interrupted").initCause(e);
    }
  }

  /** Sets data tiering and MOB on the tables as the cluster has them, before any fault. */
  void prepare() throws IOException {
    if (cluster.hasTiering) {
      for (Batches each : tables) {
        TableName table = each.name();
        admin.modifyTable(
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
                .setValue("hbase.hstore.engine.class", DateTieredStoreEngine.class.getName())
                .setValue("hbase.hstore.datatiering.type", "TIME_RANGE")
                .setValue("hbase.hstore.datatiering.hot.age.millis", HOT_MILLIS)
                .build());
        timeline.tell("data tiering", table + ", hot for " + HOT_MILLIS + " ms");
      }
    }
    if (cluster.hasMob) {
      TableName table = tables.get(tables.size() - 1).name();
      ColumnFamilyDescriptor first = admin.getDescriptor(table).getColumnFamilies()[0];
      String what = set(table, first, ColumnFamilyDescriptorBuilder.IS_MOB, "true");
      timeline.tell("MOB", what + ", and no pool of buffers");
    }
  }

  /** Changes one attribute of a family; its regions reopen one after the other. */
  private String alter(SplittableRandom random) throws IOException {
    TableName table = one(random, tables).name();
    ColumnFamilyDescriptor family =
        one(random, List.of(admin.getDescriptor(table).getColumnFamilies()));
    Map<String, List<String>> attributes = new TreeMap<>(ATTRIBUTES);
    if (!cluster.hasMob) {
      attributes.remove(ColumnFamilyDescriptorBuilder.IS_MOB);
    }
    String key = one(random, List.copyOf(attributes.keySet()));
    return set(table, family, key, one(random, attributes.get(key)));
  }

  private String set(TableName table, ColumnFamilyDescriptor family, String key, String value)
      throws IOException {
    ColumnFamilyDescriptorBuilder changed =
        ColumnFamilyDescriptorBuilder.newBuilder(family).setValue(key, value);
    if (key.equals(ColumnFamilyDescriptorBuilder.IS_MOB)) {
      changed.setMobThreshold(MOB_THRESHOLD_BYTES);
    }
    admin.modifyColumnFamily(table, changed.build());
    return table + ":" + family.getNameAsString() + " " + key + " " + value;
  }

  /** Resizes the tiers of a running server. */
  private String updateConfig(SplittableRandom random) throws IOException {
    RegionServer server = one(random, cluster.servers());
    Map<String, String> sizes = new TreeMap<>();
    for (String tier : List.of("dram", "pmem", "ssd")) {
      String key = "hbase.terrace." + tier + ".size";
      long first = Long.parseLong(server.settings().getOrDefault(key, "0"));
      // Less than twice the first size, so that the region size of a path stays.
      sizes.put(key, Long.toString(first + first / 8 * random.nextInt(8)));
    }
    server.configure(sizes);
    ServerName name =
        Cluster.nameOf(admin, server)
            .orElseThrow(() -> new IOException(server.name() + " is not there"));
    admin.updateConfiguration(name);
    return server.name() + " " + sizes;
  }

  /**
   * Snapshots, clones and restores a table. A clone shares files with its table, and so their
   * cached blocks. Each copy is read, verified and dropped.
   */
  private String copy(SplittableRandom random) throws IOException {
    dropCopies();
    Batches rows = one(random, tables);
    TableName table = rows.name();
    List<Integer> complete = rows.complete();
    admin.snapshot(SNAPSHOT, table);
    admin.cloneSnapshot(SNAPSHOT, CLONE);
    rows.scan(CLONE, complete);
    boolean isSplit = random.nextBoolean();
    if (isSplit) {
      splitClone(random);
      rows.scan(CLONE, complete);
    }
    admin.snapshot(OF_CLONE, CLONE);
    deleteSomeOfClone();
    admin.disableTable(CLONE);
    admin.restoreSnapshot(OF_CLONE);
    admin.enableTable(CLONE);
    rows.scan(CLONE, complete);
    dropCopies();
    return table + " cloned, " + (isSplit ? "split, " : "") + "restored, dropped";
  }

  /** Splits; the halves read the copied table's files by links, until compacted. */
  private void splitClone(SplittableRandom random) throws IOException {
    RegionInfo region = one(random, admin.getRegions(CLONE));
    String unused = await(admin.splitRegionAsync(region.getRegionName()));
    if (random.nextBoolean()) {
      admin.majorCompact(CLONE);
    }
  }

  /**
   * Bypasses the write-ahead log: if a server were killed after the restore, HBase would replay the
   * log and delete the rows again.
   */
  private void deleteSomeOfClone() throws IOException {
    try (Table clone = connection.getTable(CLONE);
        ResultScanner rows = clone.getScanner(new Scan().setLimit(ROWS_TO_DELETE))) {
      for (Result row : rows) {
        clone.delete(new Delete(row.getRow()).setDurability(Durability.SKIP_WAL));
      }
    }
  }

  /** Drops what this copy or an interrupted one left. */
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
