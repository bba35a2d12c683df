// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.FaultLane.Fault;
import dev.terrace.bench.fire.FaultLane.Pause;
import dev.terrace.bench.inside.RegionEvents;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/** What an operator, the balancer and the load do to regions. */
final class RegionFaults {

  private static final int MOST_REGIONS = 16;
  private static final int FEWEST_REGIONS = 3;

  /** After that a procedure that waits for a dead server goes on by itself. */
  private static final long PROCEDURE_SECONDS = 30;

  private static final Duration COMPACTION_LIMIT = Duration.ofSeconds(15);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private final Cluster cluster;
  private final Admin admin;
  private final List<TableName> tables;
  private final CountDownLatch over;

  RegionFaults(Cluster cluster, Admin admin, List<TableName> tables, CountDownLatch over) {
    this.cluster = cluster;
    this.over = over;
    this.admin = admin;
    this.tables = List.copyOf(tables);
  }

  List<Fault> all() {
    return List.of(
        new Fault("move", 4, this::move),
        new Fault("balance", 1, this::balance),
        new Fault("split", 2, this::split),
        new Fault("merge", 2, this::merge),
        new Fault("flush", 3, this::flush),
        new Fault("compact", 2, this::compact),
        new Fault("major compact", 2, this::majorCompact),
        new Fault("compaction fails", 2, this::failCompaction));
  }

  private String move(SplittableRandom random) throws IOException {
    RegionInfo region = one(random, regions(table(random)));
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
    List<RegionInfo> regions = regions(table(random));
    RegionInfo region = one(random, regions);
    if (regions.size() >= MOST_REGIONS) {
      throw new IOException(regions.size() + " regions are enough");
    }
    return await(admin.splitRegionAsync(region.getRegionName())) + region.getEncodedName();
  }

  private String merge(SplittableRandom random) throws IOException {
    List<RegionInfo> regions = regions(table(random));
    if (regions.size() <= FEWEST_REGIONS) {
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

  private String flush(SplittableRandom random) throws IOException {
    TableName table = table(random);
    admin.flush(table);
    return table.getNameAsString();
  }

  private String compact(SplittableRandom random) throws IOException {
    TableName table = table(random);
    admin.compact(table);
    return table.getNameAsString();
  }

  private String majorCompact(SplittableRandom random) throws IOException {
    TableName table = table(random);
    admin.majorCompact(table);
    return table.getNameAsString();
  }

  /** On each server one compaction fails in the middle, if one begins soon. */
  private String failCompaction(SplittableRandom random) throws IOException {
    List<Path> markers =
        cluster.servers().stream()
            .map(server -> server.daemon().folder().temporary())
            .map(folder -> folder.resolve(RegionEvents.MARKER))
            .toList();
    try {
      for (Path marker : markers) {
        Files.createFile(marker);
      }
      String table = majorCompact(random);
      long begin = System.nanoTime();
      long left = markers.size();
      while (left > 0
          && System.nanoTime() - begin < COMPACTION_LIMIT.toNanos()
          && !Pause.until(over, LOOK_EVERY)) {
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

  private TableName table(SplittableRandom random) throws IOException {
    return one(random, tables);
  }

  /** Returns the regions in the order of their keys. */
  private List<RegionInfo> regions(TableName table) throws IOException {
    return admin.getRegions(table).stream().sorted(RegionInfo.COMPARATOR).toList();
  }

  private static <T> T one(SplittableRandom random, List<T> all) throws IOException {
    if (all.isEmpty()) {
      throw new IOException("there is none at the moment");
    }
    return all.get(random.nextInt(all.size()));
  }

  /** Waits for a procedure, yet not for one that waits for a dead server. */
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
}
