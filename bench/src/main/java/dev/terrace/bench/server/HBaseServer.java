// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.io.function.IOConsumer;
import org.apache.commons.io.function.IOSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real HBase server in a process of its own: standalone (ZooKeeper, master and one region server
 * on the local file system), or a region server that joins such a one.
 *
 * <p>It ends with this JVM, however that ends. Thread-safe.
 */
public final class HBaseServer extends Daemon {

  /** Settings that let a standalone server be suspended for half an hour. */
  public static final Map<String, String> SUSPENDABLE =
      Map.of(
          "zookeeper.session.timeout.localHBaseCluster", "1800000",
          "hbase.zookeeper.property.maxSessionTimeout", "1800000");

  /** Finds the cluster as clients of HBase 2 do. */
  public static final String ZOOKEEPER_REGISTRY =
      "org.apache.hadoop.hbase.client.ZKConnectionRegistry";

  private static final String IS_DISTRIBUTED = "hbase.cluster.distributed";
  private static final String ZOOKEEPER_PORT = "hbase.zookeeper.property.clientPort";
  private static final String INFO_PORT = "hbase.regionserver.info.port";
  private static final Duration START_LIMIT = Duration.ofMinutes(4);

  private static final Logger LOG = LoggerFactory.getLogger(HBaseServer.class);
  private static final int ZOOKEEPER_SESSION_MILLIS = 30_000;
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
  private static final Duration SIGNAL_PATIENCE = Duration.ofSeconds(5);

  private final int zooKeeperPort;
  private final int infoPort;
  private final boolean hasMaster;

  /** Whether sessions last as long as {@link #SUSPENDABLE} says. */
  private final boolean hasLongSessions;

  private final JmxClient jmx;
  private final long startedMillis = System.currentTimeMillis();

  private HBaseServer(
      HBaseInstall install, ServerSetup setup, Path folder, Map<String, String> site)
      throws IOException {
    super(
        install,
        folder,
        setup.jvm(),
        Stream.concat(
                setup.jars().stream(),
                Stream.of(install.dropInJar()).filter(jar -> setup.isTerrace()))
            .toList(),
        isDistributed(site)
            ? "org.apache.hadoop.hbase.regionserver.HRegionServer"
            : "org.apache.hadoop.hbase.master.HMaster",
        "start");
    this.zooKeeperPort = Integer.parseInt(site.get(ZOOKEEPER_PORT));
    this.infoPort = Integer.parseInt(site.get(INFO_PORT));
    this.hasMaster = !isDistributed(site);
    this.hasLongSessions = hasMaster && site.keySet().containsAll(SUSPENDABLE.keySet());
    this.jmx = new JmxClient(page("/jmx"));
    configure("hbase-site.xml", site);
  }

  private static boolean isDistributed(Map<String, String> site) {
    return Boolean.parseBoolean(site.get(IS_DISTRIBUTED));
  }

  /** Starts a server with all files in one folder; waits until clients can use it. */
  public static HBaseServer start(HBaseInstall install, ServerSetup setup, Path folder)
      throws IOException {
    Path own = folder.toAbsolutePath();
    return start(install, setup, own, own.resolve("data"), server -> {});
  }

  /**
   * Starts a standalone server, or a region server of another one's cluster if the setup's settings
   * make it distributed and name that cluster's ZooKeeper and root folder. Waits until a client can
   * use it.
   *
   * @param data gets the files of HBase and ZooKeeper
   * @param listener gets each process before anybody can use it
   */
  static HBaseServer start(
      HBaseInstall install,
      ServerSetup setup,
      Path folder,
      Path data,
      IOConsumer<HBaseServer> listener)
      throws IOException {
    Map<String, String> site = baseSettings(folder, data);
    site.putAll(setup.settings());
    HBaseServer server = new HBaseServer(install, setup, folder, site);
    server.start();
    try {
      listener.accept(server);
      server.awaitReady();
      return server;
    } catch (IOException | RuntimeException e) {
      server.kill();
      throw e;
    }
  }

  private static Map<String, String> baseSettings(Path folder, Path data) throws IOException {
    Map<String, String> base = new HashMap<>();
    base.put("hbase.rootdir", data.resolve("hbase").toUri().toString());
    base.put("hbase.tmp.dir", folder.resolve("tmp").toString());
    base.put("hbase.zookeeper.property.dataDir", data.resolve("zookeeper").toString());
    base.put(ZOOKEEPER_PORT, Integer.toString(FreePorts.next()));
    base.put("hbase.zookeeper.quorum", "127.0.0.1");
    base.put(IS_DISTRIBUTED, "false");
    // The local file system lacks the sync that a write-ahead log needs to survive a machine crash.
    base.put("hbase.unsafe.stream.capability.enforce", "false");
    base.put("hbase.wal.provider", "filesystem");
    base.put("hbase.master.hostname", "localhost");
    base.put("hbase.regionserver.hostname", "localhost");
    base.put("hbase.master.port", "0");
    base.put("hbase.regionserver.port", "0");
    base.put("hbase.master.info.port", Integer.toString(FreePorts.next()));
    base.put("hbase.master.info.bindAddress", "127.0.0.1");
    base.put(INFO_PORT, Integer.toString(FreePorts.next()));
    base.put("hbase.regionserver.info.bindAddress", "127.0.0.1");
    // No other server comes to take a share of the regions, so do not wait for one.
    base.put("hbase.master.wait.on.regionservers.maxtostart", "1");
    base.put("hbase.regionserver.msginterval", "1000");
    // Counters read over JMX are a second old, not fifteen.
    base.put("hbase.regionserver.metrics.period", "1000");
    return base;
  }

  public URI regionServerPage() {
    return page("/rs-status");
  }

  public JmxClient jmx() {
    return jmx;
  }

  /** Returns the configuration of a client of this server. A call times out after two minutes. */
  public Configuration clientConfiguration() {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.setInt(ZOOKEEPER_PORT, zooKeeperPort);
    // A client of HBase 3 would ask a master at its default port.
    configuration.set("hbase.client.registry.impl", ZOOKEEPER_REGISTRY);
    configuration.setInt("hbase.rpc.timeout", 60_000);
    configuration.setInt("hbase.client.operation.timeout", 120_000);
    configuration.setInt("hbase.client.meta.operation.timeout", 120_000);
    return configuration;
  }

  /** Connects a client; the caller closes it. */
  public Connection connect() throws IOException {
    return ConnectionFactory.createConnection(clientConfiguration());
  }

  /**
   * Returns a condition: each region of a table has one file, which a compaction has written since
   * a time. It becomes true up to {@code hbase.regionserver.msginterval} late, when the master
   * knows.
   *
   * @param millis the time, in milliseconds since 1970
   */
  public static IOSupplier<Boolean> compactedSince(Admin admin, TableName table, long millis) {
    return () -> {
      for (RegionInfo region : admin.getRegions(table)) {
        byte[] name = region.getRegionName();
        if (admin.getLastMajorCompactionTimestampForRegion(name) < millis) {
          return false;
        }
      }
      return true;
    };
  }

  /** Waits until the master serves and knows the region server. */
  private void awaitReady() throws IOException {
    await("its region server answered on " + jmx.address(), START_LIMIT, jmx::answers);
    if (hasLongSessions) {
      forgetDead();
    }
    await("its master took the region server in", START_LIMIT, this::isAtWork);
  }

  /**
   * Removes a killed earlier process's servers from ZooKeeper. Their sessions still last, and this
   * server would wait for their master.
   */
  private void forgetDead() throws IOException {
    String address = "127.0.0.1:" + zooKeeperPort;
    try {
      ZooKeeper nodes = new ZooKeeper(address, ZOOKEEPER_SESSION_MILLIS, event -> {});
      try {
        List<String> servers = new ArrayList<>(List.of("/hbase/master"));
        if (nodes.exists("/hbase/rs", false) != null) {
          nodes.getChildren("/hbase/rs", false).forEach(name -> servers.add("/hbase/rs/" + name));
        }
        for (String server : servers) {
          Stat known = nodes.exists(server, false);
          if (known != null && known.getCtime() < startedMillis) {
            nodes.delete(server, known.getVersion());
          }
        }
      } finally {
        nodes.close();
      }
    } catch (KeeperException e) {
      throw new IOException("HBase's ZooKeeper on " + address, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("waiting for HBase's ZooKeeper");
    }
  }

  private boolean isAtWork() throws IOException {
    // A new one each time: the page of HBase 3 answers before a client can find its cluster.
    try (Connection connection = connectImpatiently(clientConfiguration());
        Admin admin = connection.getAdmin()) {
      ClusterMetrics metrics =
          admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
      boolean known =
          metrics.getLiveServerMetrics().values().stream()
              .anyMatch(server -> server.getInfoServerPort() == infoPort);
      // Namespaces are read through the master, which refuses until it has started.
      return known && admin.listNamespaceDescriptors().length > 0;
    }
  }

  /** Connects a client whose calls fail soon. */
  public static Connection connectImpatiently(Configuration client) throws IOException {
    client.setInt("hbase.client.retries.number", 1);
    client.setInt("hbase.rpc.timeout", 15_000);
    client.setInt("hbase.client.operation.timeout", 15_000);
    return ConnectionFactory.createConnection(client);
  }

  /**
   * Asks the server to end, and kills it if it has not within 20 s. Returns when it has ended. A
   * standalone server takes down its whole cluster, including region servers that joined it.
   */
  public void stop() {
    if (hasMaster && isAlive() && askMasterToShutDown()) {
      boolean unused = awaitEnd(STOP_PATIENCE);
    }
    boolean unused = stop(hasMaster ? SIGNAL_PATIENCE : STOP_PATIENCE);
  }

  /**
   * A standalone server that is only signalled closes its ZooKeeper first, and may then wait for it
   * for a long time.
   */
  private boolean askMasterToShutDown() {
    try (Connection connection = connectImpatiently(clientConfiguration());
        Admin admin = connection.getAdmin()) {
      admin.shutdown();
      return true;
    } catch (IOException e) {
      LOG.warn(
          "HBase (process {}) cannot be shut down through its master, so it gets a signal",
          pid(),
          e);
      return false;
    }
  }

  private URI page(String path) {
    return URI.create("http://localhost:" + infoPort + path);
  }
}
