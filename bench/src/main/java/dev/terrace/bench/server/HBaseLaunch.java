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
package dev.terrace.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The start of an HBase server: a standalone one, or a region server of another one's cluster if
 * the setup's settings make it distributed and name that one's ZooKeeper and root folder.
 *
 * @param folder becomes a {@link ServerFolder}
 * @param data gets HBase's files and those of ZooKeeper
 */
record HBaseLaunch(HBaseInstall install, ServerSetup setup, Path folder, Path data) {

  private static final String IS_DISTRIBUTED = "hbase.cluster.distributed";
  private static final String ZOOKEEPER_PORT = "hbase.zookeeper.property.clientPort";
  private static final String INFO_PORT = "hbase.regionserver.info.port";
  private static final int START_ATTEMPTS = 3;
  private static final Duration START_LIMIT = Duration.ofMinutes(4);
  private static final String[] PORT_TAKEN = {
    "Failed binding http info server",
    "Address already in use",
    "Could not start ZK at requested port"
  };

  /**
   * Starts the server and waits until a client can use it. If another program takes one of its
   * ports meanwhile, it starts again with other ports.
   *
   * @param listener gets each process before anybody can use it
   */
  HBaseServer start(Listener listener) throws IOException {
    for (int attempt = 1; ; attempt++) {
      HBaseServer server = launch();
      try {
        listener.launched(server);
        server.awaitReady(START_LIMIT);
        return server;
      } catch (IOException | RuntimeException e) {
        boolean portTaken = new ServerLog(server.log()).newestWith(PORT_TAKEN).isPresent();
        server.kill9();
        if (!portTaken || attempt == START_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Gets to know a server whose process runs. */
  @FunctionalInterface
  interface Listener {

    /** Takes the server; the start fails if this does. */
    void launched(HBaseServer server) throws IOException;
  }

  private HBaseServer launch() throws IOException {
    Ports ports = Ports.pick();
    List<Path> jars = new ArrayList<>(setup.jars());
    if (setup.isTerrace()) {
      jars.add(install.dropInJar());
    }
    Map<String, String> site = baseSettings(ports);
    site.putAll(setup.settings());
    ServerFolder own = new ServerFolder(folder);
    own.fill(install, jars);
    own.configure("hbase-site.xml", site);
    boolean hasMaster = !Boolean.parseBoolean(site.get(IS_DISTRIBUTED));
    String mainClass =
        hasMaster
            ? "org.apache.hadoop.hbase.master.HMaster"
            : "org.apache.hadoop.hbase.regionserver.HRegionServer";
    JavaProcess process =
        own.start(
            install,
            setup.heap(),
            setup.directMemory(),
            setup.jvmFlags(),
            setup.memory(),
            List.of(mainClass, "start"));
    int zooKeeper = Integer.parseInt(site.get(ZOOKEEPER_PORT));
    int info = Integer.parseInt(site.get(INFO_PORT));
    boolean hasLongSessions =
        hasMaster && site.keySet().containsAll(HBaseServer.SUSPENDABLE.keySet());
    return new HBaseServer(own.log(), zooKeeper, info, process, hasMaster, hasLongSessions);
  }

  private Map<String, String> baseSettings(Ports ports) {
    Map<String, String> base = new LinkedHashMap<>();
    base.put("hbase.rootdir", data.resolve("hbase").toUri().toString());
    base.put("hbase.tmp.dir", new ServerFolder(folder).temporary().toString());
    base.put("hbase.zookeeper.property.dataDir", data.resolve("zookeeper").toString());
    base.put(ZOOKEEPER_PORT, Integer.toString(ports.zooKeeper()));
    base.put("hbase.zookeeper.quorum", "127.0.0.1");
    base.put(IS_DISTRIBUTED, "false");
    // The local file system cannot promise what a write-ahead log needs to survive a crash of the
    // machine.
    base.put("hbase.unsafe.stream.capability.enforce", "false");
    base.put("hbase.wal.provider", "filesystem");
    base.put("hbase.master.hostname", "localhost");
    base.put("hbase.regionserver.hostname", "localhost");
    base.put("hbase.master.port", "0");
    base.put("hbase.regionserver.port", "0");
    base.put("hbase.master.info.port", Integer.toString(ports.masterInfo()));
    base.put("hbase.master.info.bindAddress", "127.0.0.1");
    base.put(INFO_PORT, Integer.toString(ports.regionServerInfo()));
    base.put("hbase.regionserver.info.bindAddress", "127.0.0.1");
    // Nobody else comes to take a share of the regions: do not wait for them.
    base.put("hbase.master.wait.on.regionservers.maxtostart", "1");
    base.put("hbase.regionserver.msginterval", "1000");
    // Counters that are read over JMX shall be a second old, not fifteen.
    base.put("hbase.regionserver.metrics.period", "1000");
    return base;
  }

  /** The TCP ports that others must know beforehand. They were free when they were picked. */
  private record Ports(int zooKeeper, int masterInfo, int regionServerInfo) {

    static Ports pick() throws IOException {
      InetAddress here = InetAddress.getLoopbackAddress();
      try (ServerSocket one = new ServerSocket(0, 1, here);
          ServerSocket two = new ServerSocket(0, 1, here);
          ServerSocket three = new ServerSocket(0, 1, here)) {
        return new Ports(one.getLocalPort(), two.getLocalPort(), three.getLocalPort());
      }
    }
  }
}
