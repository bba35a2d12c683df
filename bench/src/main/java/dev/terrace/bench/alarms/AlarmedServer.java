/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.alarms;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.fire.disk.Disks;
import dev.terrace.bench.fire.disk.LoopDisk;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A region server with an SSD tier on two disks of its own, whose table is written, flushed and
 * read all the time, and a Prometheus that looks at it.
 */
final class AlarmedServer implements AutoCloseable {

  private static final ByteSize HEAP = ByteSize.ofMebibytes(512);
  private static final ByteSize DIRECT = ByteSize.ofMebibytes(384);
  private static final ByteSize ON_A_DISK = ByteSize.ofMebibytes(32);
  private static final int SECONDS_BETWEEN_SCRAPES = 15;
  private static final TableName TABLE = TableName.valueOf("alarmed");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 3_000;

  private final HBaseInstall install;
  private final RunFolders folders;
  private final Disks disks = new Disks();
  private final Path path;
  private final Map<String, String> tiers;
  private final ServerSetup setup;
  private final AtomicLong clientErrors = new AtomicLong();
  private LoopDisk disk;
  private Prometheus prometheus;
  private HBaseServer server;
  private volatile Thread load;

  /** Nothing is started yet. */
  AlarmedServer(HBaseInstall install, RunFolders folders) throws IOException {
    this.install = install;
    this.folders = folders;
    this.path = Files.createDirectory(folders.work().resolve("disk0"));
    this.tiers = settings(path, Files.createDirectory(folders.work().resolve("disk1")));
    this.setup =
        ServerSetup.of("server", "Terrace", true, HEAP, DIRECT, tiers)
            .with(Map.of("hbase.regionserver.info.port", Integer.toString(freePort())));
  }

  /** Makes the disks, and starts all. */
  void open() throws IOException {
    disks.add(path, ON_A_DISK);
    disks.add(path.resolveSibling("disk1"), ON_A_DISK);
    if (!disks.whyNone().isEmpty()) {
      throw new RunFailure("no disks can be made: " + disks.whyNone());
    }
    disk = disks.of(List.of(path)).get(0);
    start();
    prometheus =
        Prometheus.start(
            "localhost:" + server.regionServerPage().getPort(),
            SECONDS_BETWEEN_SCRAPES,
            Files.createDirectory(folders.work().resolve("prometheus")));
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static Map<String, String> settings(Path path, Path other) {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    settings.put("hbase.rs.cacheblocksonwrite", "true");
    settings.put("hbase.terrace.dram.size", "2m");
    settings.put("hbase.terrace.ssd.paths", path + "," + other);
    settings.put("hbase.terrace.ssd.size", Long.toString(2 * ON_A_DISK.bytes()));
    return settings;
  }

  /** The path whose disk gets the faults. */
  Path path() {
    return path;
  }

  LoopDisk disk() {
    return disk;
  }

  HBaseServer server() {
    return server;
  }

  Prometheus prometheus() {
    return prometheus;
  }

  /** Calls of clients that failed, or rows that were missing. */
  long clientErrors() {
    return clientErrors.get();
  }

  String page() throws IOException {
    return IOUtils.toString(
        server.regionServerPage().resolve("/terrace/status.json"), StandardCharsets.UTF_8);
  }

  /** Starts the server with its data and caches as they are, and its load. */
  void start() throws IOException {
    server = HBaseServer.start(install, setup, folders.server("server"));
    load = new Thread(this::load, "load");
    load.setDaemon(true);
    load.start();
  }

  void stop() {
    endLoad();
    server.stop();
  }

  private void endLoad() {
    Thread ending = load;
    load = null;
    if (ending != null) {
      ending.interrupt();
    }
  }

  /**
   * Starts another server on the same path, which is to end by itself.
   *
   * @return its log
   */
  Path startSecond() throws IOException {
    return startInVain(
        "second-server", ServerSetup.of("second", "second", true, HEAP, DIRECT, tiers));
  }

  /** The same with more memory than its control group has. */
  Path startInSmallGroup() throws IOException {
    Map<String, String> large =
        Map.of(
            "hbase.regionserver.impl",
            tiers.get("hbase.regionserver.impl"),
            "hbase.terrace.dram.size",
            "600m");
    ByteSize direct = ByteSize.ofMebibytes(1_000);
    return startInVain(
        "small-group",
        ServerSetup.of("small", "small", true, HEAP, direct, large)
            .limitedTo(ByteSize.ofMebibytes(900)));
  }

  private Path startInVain(String name, ServerSetup other) throws IOException {
    Path folder = folders.server(name);
    try {
      HBaseServer.start(install, other, folder).kill9();
    } catch (RunFailure e) {
      return folder.resolve("server.log");
    }
    throw new RunFailure(name + " should not have started");
  }

  private void load() {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      if (!admin.tableExists(TABLE)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
      }
      SplittableRandom random = new SplittableRandom();
      while (isLoading()) {
        writeAndRead(admin, table, random);
      }
    } catch (IOException | UncheckedIOException e) {
      if (isLoading()) {
        clientErrors.incrementAndGet();
      }
    }
  }

  private boolean isLoading() {
    return Thread.currentThread() == load;
  }

  /** Rows are replaced, so that compactions give the space of the old ones back. */
  private void writeAndRead(Admin admin, Table table, SplittableRandom random) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      byte[] value = new byte[1_000];
      random.nextBytes(value);
      puts.add(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, value));
    }
    table.put(puts);
    admin.flush(TABLE);
    int found = 0;
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(500))) {
      for (Result row : scanner) {
        found += row.size();
      }
    }
    if (found != ROWS) {
      clientErrors.incrementAndGet();
    }
  }

  @Override
  public void close() {
    if (prometheus != null) {
      prometheus.close();
    }
    disks.mend();
    endLoad();
    if (server != null) {
      server.kill9();
    }
    disks.remove();
  }
}
