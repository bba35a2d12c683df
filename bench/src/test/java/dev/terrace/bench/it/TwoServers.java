// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.commons.io.function.IOSupplier;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A real HBase of two region servers, each in a process of its own with Terrace's drop-in jar in
 * its {@code lib/}, and a client. More may join. Everything lies in one folder, which stays for a
 * look at the logs.
 */
final class TwoServers implements AutoCloseable {

  private static final String SECOND = "second";
  private static final String ZOOKEEPER_PORT = "hbase.zookeeper.property.clientPort";
  private static final Pattern HFILE = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern REFERENCE = Pattern.compile("[0-9a-f]{32}\\.[0-9a-f]{32}");

  private final HBaseServer first;
  private final ServerSetup setupOfSecond;
  private final Path folder;
  private final Map<String, HBaseServer> joined = new HashMap<>();
  private final Connection connection;
  private final Admin admin;

  /**
   * Starts both.
   *
   * @param name names the folder
   * @param jars more jars for {@code lib/}
   */
  TwoServers(
      String name, Map<String, String> settings, Map<String, String> settingsOfSecond, Path... jars)
      throws IOException {
    folder = Setups.emptyFolder(name);
    first = Setups.start(setup("first", settings, jars), folder.resolve("first"));
    try {
      setupOfSecond =
          setup(SECOND, settingsOfSecond, jars)
              .with(
                  Map.of(
                      "hbase.cluster.distributed",
                      "true",
                      ZOOKEEPER_PORT,
                      first.clientConfiguration().get(ZOOKEEPER_PORT),
                      "hbase.rootdir",
                      rootFolder().toUri().toString()));
      startSecond();
      connection = first.connect();
      admin = connection.getAdmin();
      admin.balancerSwitch(false, true);
    } catch (IOException | RuntimeException e) {
      joined.values().forEach(HBaseServer::kill);
      Setups.stop(first);
      throw e;
    }
  }

  Path folder() {
    return folder;
  }

  /** The folder of HBase's files. */
  private Path rootFolder() {
    return folder.resolve("first/data/hbase");
  }

  private static ServerSetup setup(String name, Map<String, String> settings, Path... jars) {
    return Setups.terrace(name, 384L << 20, settings)
        .with(List.of(jars))
        .with(
            Map.of(
                // HBase leaves the blocks of a region that it closes in the cache, unless it is
                // told not to.
                "hbase.rs.evictblocksonclose", "true",
                // It does evict those of a region that it splits, and so would hide whether
                // references find them.
                "hbase.rs.evictblocksonsplit", "false",
                // Files that a compaction replaced are put away, and their blocks evicted, every
                // two minutes otherwise.
                "hbase.hfile.compaction.discharger.interval", "500"))
        .with(settings);
  }

  HBaseServer first() {
    return first;
  }

  HBaseServer second() {
    return joined.get(SECOND);
  }

  /** Starts the second server, with its folder as it is. */
  void startSecond() throws IOException {
    HBaseServer unused = join(SECOND);
  }

  /** Starts a server like the second one, with its folder as it is. */
  HBaseServer join(String name) throws IOException {
    HBaseServer server = Setups.start(setupOfSecond.named(name), folder.resolve(name));
    joined.put(name, server);
    return server;
  }

  Admin admin() {
    return admin;
  }

  /** Waits until something holds. */
  void await(String what, IOSupplier<Boolean> condition) throws IOException {
    first.await(what, Patience.LIMIT, condition);
  }

  void create(CheckedTable table) throws IOException {
    table.create(admin);
  }

  /** Writes every row and flushes. */
  void write(CheckedTable table) throws IOException {
    LoadedTable.fill(connection, table);
  }

  /** Reads every row and fails unless all are there with the right values. */
  void assertAllRight(CheckedTable table) throws IOException {
    LoadedTable.read(connection, table);
  }

  /** Reads some rows with gets and fails unless all are there with the right values. */
  void assertRight(CheckedTable table, List<Long> rows) throws IOException {
    LoadedTable.get(connection, table, rows);
  }

  /** Returns what Terrace says of itself on one server. */
  static TerraceStats terrace(HBaseServer server) throws IOException {
    Optional<TerraceStats> stats = TerraceStats.read(server.jmx());
    assertThat(stats)
        .as("Terrace in the JMX of %s, log %s", server.jmx().address(), server.log())
        .isPresent();
    return stats.orElseThrow();
  }

  /** Returns the figures of a tier of a server. */
  static TerraceStats.Tier tier(HBaseServer server, String name) throws IOException {
    TerraceStats stats = terrace(server);
    return stats.tier(name).orElseThrow(() -> new AssertionError("no " + name + " in " + stats));
  }

  /** Returns the hits on both servers. */
  long hits() throws IOException {
    return terrace(first).hits() + terrace(second()).hits();
  }

  /** Returns the lookups on both servers that found no block. */
  long misses() throws IOException {
    long misses = 0;
    for (HBaseServer server : List.of(first, second())) {
      List<TerraceStats.Tier> tiers = terrace(server).tiers();
      misses += tiers.get(tiers.size() - 1).misses();
    }
    return misses;
  }

  /** Returns what compactions did to cached blocks, on both servers. */
  Map<String, Long> compactionCaching() throws IOException {
    Map<String, Long> sums = new HashMap<>(BeanOperations.compactionCaching(first));
    BeanOperations.compactionCaching(second())
        .forEach((figure, more) -> sums.merge(figure, more, Long::sum));
    return sums;
  }

  /** Returns the bytes in Terrace by name of HFile, on both servers. */
  Map<String, Long> cachedFiles() throws IOException {
    Map<String, Long> bytes = new HashMap<>(BeanOperations.cachedFiles(first));
    BeanOperations.cachedFiles(second())
        .forEach((file, more) -> bytes.merge(file, more, Long::sum));
    return bytes;
  }

  /** Returns the names of the HFiles that a table has on disk. */
  Set<String> files(CheckedTable table) {
    return namesOnDisk(table, HFILE);
  }

  /**
   * Returns the names of the references to files of a parent that a table's regions have after a
   * split.
   */
  Set<String> references(CheckedTable table) {
    return namesOnDisk(table, REFERENCE);
  }

  private Set<String> namesOnDisk(CheckedTable table, Pattern wanted) {
    Set<String> names = new HashSet<>();
    String name = table.name().getNameAsString();
    addNames(rootFolder().resolve("data/default").resolve(name).toFile(), wanted, names);
    return names;
  }

  /** HBase moves files and folders while they are listed. */
  private static void addNames(File folder, Pattern wanted, Set<String> names) {
    File[] files = folder.listFiles();
    for (File file : files == null ? new File[0] : files) {
      if (file.isFile() && wanted.matcher(file.getName()).matches()) {
        names.add(file.getName());
      }
      addNames(file, wanted, names);
    }
  }

  /** Returns HBase's name of a server. */
  ServerName nameOf(HBaseServer server) throws IOException {
    return admin.getClusterMetrics().getLiveServerMetrics().entrySet().stream()
        .filter(
            entry -> server.regionServerPage().getPort() == entry.getValue().getInfoServerPort())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(
            () -> new IOException("the master does not know " + server.regionServerPage()));
  }

  /** Closes the client and stops all servers. */
  @Override
  public void close() throws IOException {
    admin.close();
    connection.close();
    joined.values().forEach(HBaseServer::stop);
    first.stop();
  }
}
