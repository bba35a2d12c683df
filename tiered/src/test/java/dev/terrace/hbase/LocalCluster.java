// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.hbase.settings.TerraceSettings;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.mob.MobConstants;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** A master and region servers with caches in this process, and tables of rows to check. */
public final class LocalCluster implements AutoCloseable {

  public static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int BLOCK_BYTES = 4 << 10;
  private static final int VALUE_BYTES = 150;

  private final MiniZooKeeperCluster zooKeeper;
  private final LocalHBaseCluster cluster;
  private final List<Configuration> settings = new ArrayList<>();
  private final List<RegionServerThread> threads = new ArrayList<>();
  private final Connection connection;
  public final Admin admin;

  public LocalCluster(File folder) throws IOException, InterruptedException {
    this(folder, 1);
  }

  /** A cluster of some servers; if they are several, each has an SSD tier, too. */
  public LocalCluster(File folder, int servers) throws IOException, InterruptedException {
    this(folder, servers, Map.of());
  }

  /** The same, with further settings. */
  public LocalCluster(File folder, int servers, Map<String, String> further)
      throws IOException, InterruptedException {
    this(folder, ofServers(folder, servers), further);
  }

  /**
   * A cluster with settings for each server. A server whose {@code hbase.regionserver.impl} is that
   * of HBase has HBase's own cache.
   */
  public LocalCluster(File folder, List<Map<String, String>> ofServers, Map<String, String> further)
      throws IOException, InterruptedException {
    Configuration conf = HBaseConfiguration.create();
    zooKeeper = new MiniZooKeeperCluster(conf);
    conf.setInt(
        "hbase.zookeeper.property.clientPort", zooKeeper.startup(new File(folder, "zookeeper")));
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.set("hbase.rootdir", new File(folder, "root").toURI().toString());
    conf.set("hbase.tmp.dir", new File(folder, "tmp").getPath());
    conf.set("hbase.wal.provider", "filesystem");
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.setBoolean("hbase.table.sanity.checks", false);
    for (String server : List.of("master", "regionserver")) {
      conf.set("hbase." + server + ".hostname", "localhost");
      conf.setInt("hbase." + server + ".port", 0);
      conf.setInt("hbase." + server + ".info.port", -1);
    }
    // Compactions come when a test asks for them.
    conf.setInt("hbase.hregion.majorcompaction", 0);
    conf.setInt("hbase.hstore.compactionThreshold", 1_000);
    conf.setInt("hbase.hstore.blockingStoreFiles", 1_000);
    conf.set(TerraceSettings.DRAM_SIZE.key(), "32m");
    further.forEach(conf::set);
    cluster = new LocalHBaseCluster(conf, 1, 0, HMaster.class, TerraceRegionServer.class);
    for (Map<String, String> each : ofServers) {
      Configuration ofServer = new Configuration(conf);
      each.forEach(ofServer::set);
      settings.add(ofServer);
    }
    for (Configuration ofServer : settings) {
      threads.add(add(ofServer, threads.size()));
    }
    // Several servers in a process have metrics of the same names.
    DefaultMetricsSystem.setMiniClusterMode(ofServers.size() > 1);
    cluster.startup();
    await().until(() -> cluster.getMaster(0).isInitialized());
    await().until(() -> online() == ofServers.size());
    connection = ConnectionFactory.createConnection(conf);
    admin = connection.getAdmin();
  }

  private static List<Map<String, String>> ofServers(File folder, int servers) {
    if (servers == 1) {
      return List.of(Map.of());
    }
    List<Map<String, String>> settings = new ArrayList<>();
    for (int number = 0; number < servers; number++) {
      settings.add(
          Map.of(
              TerraceSettings.SSD_PATHS.key(),
              new File(folder, "ssd" + number).getPath(),
              TerraceSettings.SSD_SIZE.key(),
              "64m",
              TerraceSettings.CREATE_PATHS.key(),
              "true"));
    }
    return settings;
  }

  /** HBase asks the settings of the cluster, not those of the server, for the server's class. */
  private RegionServerThread add(Configuration ofServer, int number) throws IOException {
    cluster
        .getConfiguration()
        .set(
            HConstants.REGION_SERVER_IMPL,
            ofServer.get(HConstants.REGION_SERVER_IMPL, TerraceRegionServer.class.getName()));
    return cluster.addRegionServer(ofServer, number);
  }

  private int online() {
    return cluster.getMaster(0).getServerManager().getOnlineServersList().size();
  }

  public Table open(TableName table) throws IOException {
    return connection.getTable(table);
  }

  /** Has the client look up where a table's regions are, so that its reads need no other ones. */
  public void locate(TableName table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
      locator.getAllRegionLocations();
    }
  }

  /** For connections of a test's own. */
  public Configuration configuration() {
    return connection.getConfiguration();
  }

  public HRegionServer server() {
    return server(0);
  }

  public HRegionServer server(int number) {
    return threads.get(number).getRegionServer();
  }

  public HMaster master() {
    return cluster.getMaster(0);
  }

  /** Stops servers, and starts them again once their caches have released their paths. */
  public void restart(int... numbers) throws IOException, InterruptedException {
    for (int number : numbers) {
      server(number).stop("restart");
    }
    for (int number : numbers) {
      awaitEnd(number);
    }
    for (int number : numbers) {
      start(number);
    }
  }

  /** Has a server end without closing its regions. */
  public void abort(int number) throws InterruptedException {
    server(number).abort("for the test");
    awaitEnd(number);
  }

  private void awaitEnd(int number) throws InterruptedException {
    TieredBlockCache cache = cache(number);
    threads.get(number).join();
    if (!cache.awaitReleased(Patience.LIMIT)) {
      throw new AssertionError("the cache of server " + number + " does not release its paths");
    }
  }

  /** Starts a server that has ended. */
  public void start(int number) throws IOException {
    RegionServerThread started = add(settings.get(number), threads.size());
    threads.set(number, started);
    started.start();
    HRegionServer restarted = started.getRegionServer();
    await()
        .until(
            () ->
                restarted.isOnline()
                    && master().getServerManager().isServerOnline(restarted.getServerName()));
  }

  public TieredBlockCache cache() {
    return cache(0);
  }

  public TieredBlockCache cache(int number) {
    return (TieredBlockCache) server(number).getBlockCache().orElseThrow();
  }

  /** Creates a table of one region for each of the splits, and one more. */
  public TableName create(String name, String coprocessor, String... splits) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(BLOCK_BYTES).build());
    if (coprocessor != null) {
      table.setCoprocessor(coprocessor);
    }
    byte[][] keys = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      keys[i] = Bytes.toBytes(splits[i]);
    }
    admin.createTable(table.build(), keys);
    return TableName.valueOf(name);
  }

  /** Creates a table of one region. */
  public TableName create(String name, Map<String, String> values, boolean isRead)
      throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setBlocksize(BLOCK_BYTES)
                    .setBlockCacheEnabled(isRead)
                    .build());
    values.forEach(table::setValue);
    admin.createTable(table.build());
    return TableName.valueOf(name);
  }

  public static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%06d", number));
  }

  public static byte[] value(byte[] row) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(Bytes.hashCode(row)).nextBytes(value);
    return value;
  }

  /** Writes a file of some rows to each region that they lie in. */
  public void load(TableName table, int from, int to) throws IOException {
    try (BufferedMutator rows = connection.getBufferedMutator(table)) {
      for (int number = from; number < to; number++) {
        byte[] row = row(number);
        rows.mutate(new Put(row).addColumn(FAMILY, FAMILY, value(row)));
      }
    }
    admin.flush(table);
  }

  /** Reads all rows, and returns how many lookups missed. */
  public long missesOfScan(TableName table, int rows) throws IOException {
    return missesOfScanOn(0, table, rows);
  }

  /** Reads all rows of a table that a server has, and returns how many lookups missed there. */
  public long missesOfScanOn(int number, TableName table, int rows) throws IOException {
    long before = cache(number).getStats().getMissCount();
    int seen = 0;
    Scan scan =
        new Scan().setCaching(500).setAttribute(MobConstants.MOB_CACHE_BLOCKS, Bytes.toBytes(true));
    try (Table reads = connection.getTable(table);
        ResultScanner scanner = reads.getScanner(scan)) {
      for (Result result : scanner) {
        if (!Bytes.equals(value(result.getRow()), result.getValue(FAMILY, FAMILY))) {
          throw new AssertionError("wrong value of row " + Bytes.toString(result.getRow()));
        }
        seen++;
      }
    }
    if (seen != rows) {
      throw new AssertionError("rows=" + seen + " of " + rows);
    }
    return cache(number).getStats().getMissCount() - before;
  }

  /**
   * Compacts each region into one file, on a thread that is named as HBase's.
   *
   * @return how many regions could not be compacted
   */
  public int compact(TableName table) throws IOException, InterruptedException {
    AtomicInteger failed = new AtomicInteger();
    for (HRegion region : regions(table)) {
      Thread thread =
          new Thread(() -> compact(region, failed), "regionserver/local-shortCompactions-0");
      thread.start();
      thread.join();
    }
    archive(table);
    return failed.get();
  }

  private static void compact(HRegion region, AtomicInteger failed) {
    try {
      region.compact(true);
    } catch (IOException e) {
      failed.incrementAndGet();
    }
  }

  public void archive(TableName table) throws IOException {
    for (HRegion region : regions(table)) {
      for (HStore store : region.getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
    }
  }

  public List<HRegion> regions(TableName table) {
    return regionsOf(0, table);
  }

  /** The regions of a table that a server has open. */
  public List<HRegion> regionsOf(int number, TableName table) {
    return server(number).getRegions().stream()
        .filter(region -> region.getTableDescriptor().getTableName().equals(table))
        .toList();
  }

  public List<String> regionNames(TableName table) {
    return regions(table).stream().map(region -> region.getRegionInfo().getEncodedName()).toList();
  }

  /** The names of the files that a table's stores read, as HBase itself resolves them. */
  public Set<String> files(TableName table) {
    Set<String> names = new TreeSet<>();
    regions(table).forEach(region -> names.addAll(files(region)));
    return names;
  }

  private static Set<String> files(HRegion region) {
    Set<String> names = new HashSet<>();
    for (HStore store : region.getStores()) {
      List<HStoreFile> files = new ArrayList<>(store.getStorefiles());
      Collection<HStoreFile> compacted = store.getCompactedFiles();
      files.addAll(compacted == null ? List.of() : compacted);
      files.forEach(file -> names.add(plainName(file.getPath().getName())));
    }
    return names;
  }

  private static String plainName(String name) {
    String referred =
        StoreFileInfo.isReference(name)
            ? StoreFileInfo.getReferredToRegionAndFile(name).getSecond()
            : name;
    return HFileLink.isHFileLink(referred) ? HFileLink.getReferencedHFileName(referred) : referred;
  }

  /** The name of the one file of a region. */
  public String fileOf(HRegion region) {
    return files(region).iterator().next();
  }

  /** The cached bytes of each file. */
  public Map<String, Long> cachedBytes() {
    return cachedBytes(0);
  }

  /** The bytes of each file that a server has cached. */
  public Map<String, Long> cachedBytes(int number) {
    Map<String, Long> bytes = new TreeMap<>();
    Iterable<CachedBlock> blocks = cache(number);
    blocks.forEach(block -> bytes.merge(block.getFilename(), block.getSize(), Long::sum));
    return bytes;
  }

  /** The cached bytes of each region, of files that one region alone reads. */
  public Map<String, Long> cachedBytesByRegion(TableName table) {
    Map<String, Long> cached = cachedBytes();
    Map<String, Long> bytes = new HashMap<>();
    for (HRegion region : regions(table)) {
      long sum = files(region).stream().mapToLong(file -> cached.getOrDefault(file, 0L)).sum();
      bytes.put(region.getRegionInfo().getEncodedName(), sum);
    }
    return bytes;
  }

  /** The cached files that no region reads. */
  public Set<String> deadFiles() {
    Set<String> dead = new TreeSet<>(cachedBytes().keySet());
    server().getRegions().forEach(region -> dead.removeAll(files(region)));
    return dead;
  }

  @Override
  public void close() throws IOException {
    admin.close();
    connection.close();
    cluster.shutdown();
    cluster.join();
    zooKeeper.shutdown();
  }
}
