// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.LoopDisk.Disks;
import dev.terrace.bench.inside.ServerContents;
import dev.terrace.bench.inside.ServerContents.RegionEvents;
import dev.terrace.bench.server.Daemon;
import dev.terrace.bench.server.FreePorts;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseInstall.ClassJar;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.Hdfs;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * An HBase cluster on this machine, each part a process of its own: HDFS, ZooKeeper, a master and
 * region servers. It ends with this JVM.
 */
final class Cluster {

  /** How long a loaded machine may take to start servers, or to assign all regions. */
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  /** How long the page of a freshly started server may take to answer. */
  private static final Duration PAGE_PATIENCE = Duration.ofMinutes(1);

  private static final int DATA_NODES = 2;
  private static final Daemon.Jvm MASTER = Daemon.Jvm.ofMebibytes(320).shortLived();
  private static final Daemon.Jvm ZOOKEEPER = Daemon.Jvm.ofMebibytes(96).shortLived();
  private static final Daemon.Jvm HDFS = Daemon.Jvm.ofMebibytes(160).shortLived();
  private static final String SITE = "hbase-site.xml";
  private static final String ZOOKEEPER_PORT = "hbase.zookeeper.property.clientPort";

  private final HBaseInstall install;
  private final RunFolders folders;
  final Hdfs hdfs;
  private final Map<String, String> settings;
  private final List<RegionServer> servers = new ArrayList<>();
  final Disks disks = new Disks();

  /** Whether SSD tiers bypass the page cache, so that reads meet the faults of disks. */
  private final boolean isDirect;

  /**
   * Whether families have MOB. Servers then run without HBase's buffer pool, and otherwise with it:
   * HBase's compactor of MOB files reads pooled buffers after it has returned them.
   */
  final boolean hasMob;

  /** Whether tables have data tiering, which caches only recently written data. */
  final boolean hasTiering;

  private final List<Path> jars = new ArrayList<>();
  private Daemon zooKeeper;
  private Daemon master;

  /**
   * @param seed each of its lowest bits turns on a feature that half of the clusters have
   */
  Cluster(HBaseInstall install, RunFolders folders, long seed) throws IOException {
    this.install = install;
    this.folders = folders;
    int nameNode = FreePorts.next();
    this.hdfs = new Hdfs(install, folders, nameNode, DATA_NODES, HDFS);
    this.settings = settings(nameNode, FreePorts.next(), (seed & 1) != 0);
    this.isDirect = (seed & 2) != 0;
    this.hasMob = (seed & 4) != 0;
    this.hasTiering = (seed & 8) != 0;
    settings.put("hbase.server.allocator.pool.enabled", Boolean.toString(!hasMob));
  }

  /** The settings, with HBase's usual balancer or the one that knows what servers have cached. */
  private Map<String, String> settings(int nameNode, int zooKeeperPort, boolean cacheAware) {
    Map<String, String> all = new TreeMap<>(hdfs.clientSettings());
    all.put("hbase.rootdir", "hdfs://127.0.0.1:" + nameNode + "/hbase");
    all.put("hbase.cluster.distributed", "true");
    all.put("hbase.zookeeper.quorum", "127.0.0.1");
    all.put("hbase.client.registry.impl", HBaseServer.ZOOKEEPER_REGISTRY);
    all.put(ZOOKEEPER_PORT, Integer.toString(zooKeeperPort));
    all.put("hbase.zookeeper.property.dataDir", folders.data("zookeeper").toString());
    all.put("hbase.master.hostname", "localhost");
    all.put("hbase.regionserver.hostname", "localhost");
    all.put("hbase.master.port", "0");
    all.put("hbase.master.info.port", "-1");
    all.put("hbase.regionserver.info.bindAddress", "127.0.0.1");
    all.put("hbase.regionserver.msginterval", "1000");
    all.put("hbase.regionserver.metrics.period", "1000");
    all.put("hbase.regionserver.handler.count", "12");
    // A snapshot that meets a dead server fails soon, not only after five minutes.
    all.put("hbase.snapshot.master.timeout.millis", "60000");
    all.put("hbase.lease.recovery.dfs.timeout", "23000");
    // A restarted server gets its regions back, and its cache has their blocks.
    all.put("hbase.master.scp.retain.assignment", "true");
    // Parents of splits and merges are cleaned up in minutes, so regions may split and merge again.
    all.put("hbase.catalogjanitor.interval", "20000");
    // Many small files: flushes, compactions and references within minutes.
    all.put("hbase.hregion.memstore.flush.size", Integer.toString(4 << 20));
    all.put("hbase.hfile.compaction.discharger.interval", "500");
    // A pool of memstore chunks grows for hours, which looks like a leak.
    all.put("hbase.hregion.memstore.chunkpool.maxsize", "0");
    // By default each memstore holds a chunk of 2 MB, however little is in it.
    all.put("hbase.hregion.memstore.mslab.chunksize", Integer.toString(128 << 10));
    all.put("hbase.hregion.memstore.mslab.max.allocation", Integer.toString(64 << 10));
    if (cacheAware) {
      all.put(
          "hbase.master.loadbalancer.class",
          "org.apache.hadoop.hbase.master.balancer.CacheAwareLoadBalancer");
      // The balancer weighs uncached regions only where this is set.
      all.put("hbase.bucketcache.persistent.path", folders.work().resolve("unused").toString());
      // The balancer, and its caller with it, waits a minute after each move of a region to a
      // server that has not cached it.
      all.put("hbase.master.balancer.move.throttlingMillis", "1000");
    }
    return all;
  }

  /** Starts everything; returns when the master knows all region servers. */
  void start(int regionServers, boolean isTerrace, CacheSizes sizes) throws IOException {
    zooKeeper = daemon("zookeeper", ZOOKEEPER, "org.apache.hadoop.hbase.zookeeper.HQuorumPeer");
    zooKeeper.configure(SITE, settings).start();
    hdfs.start();
    int zooKeeperPort = Integer.parseInt(settings.get(ZOOKEEPER_PORT));
    zooKeeper.await("it listened", PATIENCE, () -> Hdfs.answers(zooKeeperPort));
    master = daemon("master", MASTER, "org.apache.hadoop.hbase.master.HMaster", "start");
    Map<String, String> first = new TreeMap<>(settings);
    first.put("hbase.master.wait.on.regionservers.mintostart", Integer.toString(regionServers));
    master.configure(SITE, first).start();
    jars.add(
        ClassJar.write(folders.work().resolve("fire-inside.jar"), List.of(ServerContents.class)));
    if (isTerrace) {
      jars.add(install.dropInJar());
    }
    for (int i = 1; i <= regionServers; i++) {
      servers.add(regionServer("rs" + i, isTerrace, sizes));
    }
    startRegionServers();
    // A restarted master does not wait for servers that are down.
    master.configure(SITE, settings);
  }

  private Daemon daemon(String name, Daemon.Jvm jvm, String... command) throws IOException {
    return new Daemon(install, folders.server(name), jvm, List.of(), command);
  }

  private RegionServer regionServer(String name, boolean isTerrace, CacheSizes sizes)
      throws IOException {
    ServerSetup setup =
        isTerrace
            ? ServerSetup.terrace(name, name, sizes, folders)
            : ServerSetup.bucketOffheap(name, name, sizes);
    int port = FreePorts.next();
    int infoPort = FreePorts.next();
    Map<String, String> own = new TreeMap<>(settings);
    own.putAll(setup.settings());
    own.remove("hbase.bucketcache.persistent.path");
    own.put("hbase.terrace.ssd.direct", Boolean.toString(isDirect));
    own.put("hbase.terrace.warm.rate", "50m,peers");
    own.put("hbase.regionserver.port", Integer.toString(port));
    own.put("hbase.regionserver.info.port", Integer.toString(infoPort));
    own.put("hbase.coprocessor.regionserver.classes", ServerContents.class.getName());
    own.put("hbase.coprocessor.user.region.classes", RegionEvents.class.getName());
    own.put("hbase.regionserver.datatiering.enable", Boolean.toString(hasTiering));
    Daemon daemon =
        new Daemon(
            install,
            folders.server(name),
            setup.jvm().shortLived(),
            jars,
            "org.apache.hadoop.hbase.regionserver.HRegionServer",
            "start");
    List<Path> caches =
        isTerrace
            ? List.of(
                cache(folders.pmem(name), sizes.pmem()), cache(folders.ssd(name), sizes.ssd()))
            : List.of();
    JmxClient jmx =
        new JmxClient(URI.create("http://localhost:" + infoPort + "/jmx"), PAGE_PATIENCE);
    RegionServer server = new RegionServer(daemon, port, jmx, caches, own);
    server.configure(Map.of());
    return server;
  }

  private Path cache(Path path, long size) throws IOException {
    disks.add(Files.createDirectories(path), size);
    return path;
  }

  /** Returns a process, not started, with the paths of a server and ports of its own. */
  Daemon second(RegionServer server) throws IOException {
    Map<String, String> same = new TreeMap<>(server.settings());
    same.put("hbase.regionserver.port", Integer.toString(FreePorts.next()));
    same.put("hbase.regionserver.info.port", Integer.toString(FreePorts.next()));
    return server.daemon().twin(folders.server(server.name() + "-second")).configure(SITE, same);
  }

  /** Starts all region servers, and waits until each of them serves. */
  void startRegionServers() throws IOException {
    for (RegionServer server : servers) {
      server.daemon().start();
    }
    awaitAtWork();
  }

  /** Waits until the master knows all region servers and no region is in transition. */
  void awaitAtWork() throws IOException {
    // A client of HBase 3 cannot be created before the master has registered in ZooKeeper.
    master.await("clients found its cluster", PATIENCE, this::isFound);
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      for (RegionServer server : servers) {
        server.daemon().await("it was at work", PATIENCE, () -> nameOf(admin, server).isPresent());
      }
      master.await("all regions had a place", PATIENCE, () -> isSettled(admin));
    }
  }

  private Connection connect() throws IOException {
    return HBaseServer.connectImpatiently(clientConfiguration());
  }

  private boolean isFound() throws IOException {
    connect().close();
    return true;
  }

  private boolean isSettled(Admin admin) throws IOException {
    ClusterMetrics metrics = admin.getClusterMetrics();
    return metrics.getLiveServerMetrics().size() == servers.size()
        && metrics.getRegionStatesInTransition().isEmpty()
        // Namespaces are read through the master, which refuses until it has started.
        && admin.listNamespaceDescriptors().length > 0;
  }

  /** Returns the name under which the master knows the running process of a server. */
  static Optional<ServerName> nameOf(Admin admin, RegionServer server) throws IOException {
    return admin.getRegionServers().stream()
        .filter(name -> name.getPort() == server.port())
        .max(Comparator.comparingLong(ServerName::getStartCode));
  }

  /**
   * Returns the configuration of a client, with HBase's own timeouts and twice its retries: on two
   * cores recovery takes minutes where a cluster takes seconds.
   */
  Configuration clientConfiguration() {
    Configuration configuration = HBaseConfiguration.create();
    settings.forEach(configuration::set);
    configuration.setInt("hbase.client.retries.number", 30);
    // The master may miss the end of a region's flush; the table's flush then never ends.
    configuration.setInt("hbase.client.sync.wait.timeout.msec", 60_000);
    return configuration;
  }

  List<RegionServer> servers() {
    return List.copyOf(servers);
  }

  /** Stops all region servers but not the master; returns those that had to be killed. */
  List<String> stopRegionServers() {
    return servers.parallelStream()
        .filter(server -> !server.daemon().stop(PATIENCE))
        .map(RegionServer::name)
        .toList();
  }

  boolean isTerrace() {
    return jars.contains(install.dropInJar());
  }

  Daemon master() {
    return master;
  }

  Daemon zooKeeper() {
    return zooKeeper;
  }

  /** Ends everything at once. */
  void kill9() {
    disks.mend();
    servers.forEach(server -> server.daemon().kill());
    Stream.of(master, zooKeeper).filter(Objects::nonNull).forEach(Daemon::kill);
    hdfs.kill9();
    disks.remove();
  }

  /**
   * A region server and the folders of its cache. Its ports and folders outlive its process.
   *
   * @param port its RPC port
   * @param caches folders of its PMem and SSD tiers
   * @param settings its hbase-site.xml at the start
   */
  record RegionServer(
      Daemon daemon, int port, JmxClient jmx, List<Path> caches, Map<String, String> settings) {

    String name() {
      return daemon.name();
    }

    /** Writes its hbase-site.xml, with these settings overriding the first ones. */
    void configure(Map<String, String> others) throws IOException {
      Map<String, String> all = new TreeMap<>(settings);
      all.putAll(others);
      daemon.configure(SITE, all);
    }

    /** Returns what its tiers did since it was started; empty without Terrace. */
    List<TerraceStats.Tier> tiers() throws IOException {
      return TerraceStats.read(jmx).map(TerraceStats::tiers).orElse(List.of());
    }

    /** Returns whether its process hangs: it listens, but has not answered for long. */
    boolean standsStill() {
      try {
        return !jmx.answers();
      } catch (IOException e) {
        return e.getCause() instanceof HttpTimeoutException;
      }
    }
  }
}
