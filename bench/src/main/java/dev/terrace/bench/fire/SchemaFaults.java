// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.Cluster.RegionServer;
import dev.terrace.bench.fire.FaultLane.Fault;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine;

/** What an operator changes online: column families, the settings of a server, cached blocks. */
final class SchemaFaults {

  private static final long MOB_THRESHOLD_BYTES = 900;

  private static final String HOT_MILLIS = "180000";

  private static final List<String> WITHOUT_MOB =
      List.of(
          ColumnFamilyDescriptorBuilder.COMPRESSION,
          ColumnFamilyDescriptorBuilder.DATA_BLOCK_ENCODING,
          ColumnFamilyDescriptorBuilder.BLOOMFILTER,
          HConstants.IN_MEMORY,
          ColumnFamilyDescriptorBuilder.BLOCKCACHE,
          ColumnFamilyDescriptorBuilder.PREFETCH_BLOCKS_ON_OPEN,
          ColumnFamilyDescriptorBuilder.CACHE_DATA_ON_WRITE);

  private static final List<String> WITH_MOB =
      Stream.concat(WITHOUT_MOB.stream(), Stream.of(ColumnFamilyDescriptorBuilder.IS_MOB)).toList();

  private final Cluster cluster;
  private final Admin admin;
  private final List<TableName> tables;

  SchemaFaults(Cluster cluster, Admin admin, List<TableName> tables) {
    this.cluster = cluster;
    this.admin = admin;
    this.tables = List.copyOf(tables);
  }

  List<Fault> all() {
    return List.of(
        new Fault("alter", 3, this::alter),
        new Fault("clear cache", 1, this::clearCache),
        new Fault("update config", 2, this::updateConfig));
  }

  /** Gives the first family of a table MOB, before anything strikes; returns what it did. */
  String giveMob(TableName table) throws IOException {
    ColumnFamilyDescriptor first = admin.getDescriptor(table).getColumnFamilies()[0];
    ColumnFamilyDescriptorBuilder changed = ColumnFamilyDescriptorBuilder.newBuilder(first);
    admin.modifyColumnFamily(table, withMob(changed).build());
    return table + ":" + first.getNameAsString() + ", and no pool of buffers";
  }

  /** Gives a table data tiering, before anything strikes; returns what it did. */
  String giveTiering(TableName table) throws IOException {
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
            .setValue("hbase.hstore.engine.class", DateTieredStoreEngine.class.getName())
            .setValue("hbase.hstore.datatiering.type", "TIME_RANGE")
            .setValue("hbase.hstore.datatiering.hot.age.millis", HOT_MILLIS)
            .build());
    return table + ", hot for " + HOT_MILLIS + " ms";
  }

  /** Changes one thing of a family; its regions open anew, one after the other. */
  private String alter(SplittableRandom random) throws IOException {
    TableName table = one(random, tables);
    ColumnFamilyDescriptor family =
        one(random, List.of(admin.getDescriptor(table).getColumnFamilies()));
    ColumnFamilyDescriptorBuilder changed = ColumnFamilyDescriptorBuilder.newBuilder(family);
    String what = change(random, changed);
    admin.modifyColumnFamily(table, changed.build());
    return table + ":" + family.getNameAsString() + " " + what;
  }

  /** Sets one attribute, as the HBase shell does. */
  private String change(SplittableRandom random, ColumnFamilyDescriptorBuilder next) {
    String key = one(random, cluster.hasMob() ? WITH_MOB : WITHOUT_MOB);
    String value =
        switch (key) {
          case ColumnFamilyDescriptorBuilder.COMPRESSION -> one(random, List.of("NONE", "GZ"));
          case ColumnFamilyDescriptorBuilder.DATA_BLOCK_ENCODING ->
              one(random, List.of("NONE", "FAST_DIFF", "PREFIX", "ROW_INDEX_V1"));
          case ColumnFamilyDescriptorBuilder.BLOOMFILTER ->
              one(random, List.of("NONE", "ROW", "ROWCOL"));
          // Never back: HBase would then return references in the place of the values.
          case ColumnFamilyDescriptorBuilder.IS_MOB -> "true";
          default -> Boolean.toString(random.nextBoolean());
        };
    if (key.equals(ColumnFamilyDescriptorBuilder.IS_MOB)) {
      withMob(next);
    } else {
      next.setValue(key, value);
    }
    return key + " " + value;
  }

  private static ColumnFamilyDescriptorBuilder withMob(ColumnFamilyDescriptorBuilder family) {
    return family.setMobEnabled(true).setMobThreshold(MOB_THRESHOLD_BYTES);
  }

  private String clearCache(SplittableRandom random) throws IOException {
    TableName table = one(random, tables);
    return table + ": " + admin.clearBlockCache(table).getEvictedBlocks() + " blocks evicted";
  }

  /** Gives a server tiers of other sizes, while it runs. */
  private String updateConfig(SplittableRandom random) throws IOException {
    RegionServer server = one(random, cluster.servers());
    Map<String, String> sizes = new TreeMap<>();
    for (String tier : List.of("dram", "pmem", "ssd")) {
      String key = "hbase.terrace." + tier + ".size";
      long first = Long.parseLong(server.settings().getOrDefault(key, "0"));
      // Less than twice the first size: the regions of a path stay as large.
      sizes.put(key, Long.toString(first + first / 8 * random.nextInt(8)));
    }
    server.configure(sizes);
    ServerName name =
        Cluster.nameOf(admin, server)
            .orElseThrow(() -> new IOException(server.name() + " is not there"));
    admin.updateConfiguration(name);
    return server.name() + " " + sizes;
  }

  private static <T> T one(SplittableRandom random, List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
