// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.load.ClientThreads;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.LoadedServer.LoadRecorder;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.slow.SlowFileSystem.SlowStoreMXBean;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.commons.io.function.IOSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Two region servers with caches over the same slow store, and a third one that runs the master and
 * serves no region of the table. Regions stay where they were moved.
 */
final class ServerPair implements AutoCloseable {

  private static final String ZOOKEEPER_PORT = "hbase.zookeeper.property.clientPort";
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** Longer than a second, because a prefetch starts a second late. */
  private static final int QUIET_LOOKS = 10;

  /** Clients retry this often to find a region that is offline, at most two seconds apart. */
  private static final Map<String, Integer> CLIENT =
      Map.of("hbase.client.pause", 10, "hbase.client.retries.number", 100);

  private final CaseBench bench;
  private final LoadedServer master;
  private final List<ServerSetup> setups;
  private final LoadedServer[] servers = new LoadedServer[2];
  private final Admin admin;
  private final AsyncConnection async;
  private final LoadedServer clients;

  private ServerPair(CaseBench bench, LoadedServer master, ServerSetup kind) throws IOException {
    this.bench = bench;
    this.master = master;
    this.setups = IntStream.range(0, 2).mapToObj(number -> joining(kind, number)).toList();
    Configuration client = master.server().clientConfiguration();
    CLIENT.forEach(client::setInt);
    this.admin = master.connection().getAdmin();
    this.async = FutureUtils.get(ConnectionFactory.createAsyncConnection(client));
    this.clients =
        new LoadedServer(
            kind,
            master.server(),
            master.table(),
            master.checks(),
            ConnectionFactory.createConnection(client),
            master.ycsb(),
            master.recorder());
  }

  /** Starts all three over a fast store. The first one serves all regions of the table. */
  static ServerPair start(CaseBench bench, ServerSetup kind, SlowProfile store) throws IOException {
    ServerSetup setup = bench.master(kind.name(), store);
    LoadedServer master = bench.start(List.of(setup)).get(0);
    ServerPair pair = new ServerPair(bench, master, kind);
    pair.admin.balancerSwitch(false, true);
    pair.admin.decommissionRegionServers(List.of(pair.nameOf(master)), false);
    ClientThreads.run("start", 2, pair::start);
    pair.move(pair.regions(), 0);
    return pair;
  }

  private ServerSetup joining(ServerSetup kind, int number) {
    Map<String, String> same = new HashMap<>(master.setup().settings());
    same.keySet().retainAll(Set.of("hbase.rootdir", "hbase.wal.dir", SlowProfile.WARM_UP_FILE));
    same.put("hbase.cluster.distributed", "true");
    same.put(ZOOKEEPER_PORT, master.server().clientConfiguration().get(ZOOKEEPER_PORT));
    // The master notices a killed server soon.
    same.put("zookeeper.session.timeout", "10000");
    return kind.named(kind.name() + "-" + number).with(same);
  }

  /** The clients, which follow the regions. */
  LoadedServer clients() {
    return clients;
  }

  LoadedServer server(int number) {
    return servers[number];
  }

  List<RegionInfo> regions() throws IOException {
    return admin.getRegions(table());
  }

  private TableName table() {
    return master.table().name();
  }

  /** Warms up a server that serves all regions until it has compiled most of its code. */
  void warmUp(int number, Duration limit) throws IOException {
    bench.servers().log("Server " + number + " warms up");
    clients.readAll(CaseBench.threads());
    servers[number]
        .recorder()
        .warmUp(
            time -> Workload.YCSB_C.run(clients, CaseBench.threads(), time),
            limit,
            LoadRecorder.WARM_BELOW);
    clients.requireRight();
  }

  void makeSlow() throws IOException {
    Files.delete(Path.of(master.setup().settings().get(SlowProfile.WARM_UP_FILE)));
  }

  private ServerName nameOf(LoadedServer server) throws IOException {
    int page = server.server().regionServerPage().getPort();
    return admin.getClusterMetrics().getLiveServerMetrics().entrySet().stream()
        .filter(entry -> entry.getValue().getInfoServerPort() == page)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new RunFailure("the master does not know " + server));
  }

  /** Moves regions to a server; returns when they are open there. */
  void move(List<RegionInfo> regions, int to) throws IOException {
    // HBase opens a region elsewhere if the server has just started.
    await(
        "regions moved to server " + to,
        () -> {
          ServerName target = nameOf(servers[to]);
          Set<RegionInfo> away = new HashSet<>(regions);
          away.removeAll(admin.getRegions(target));
          FutureUtils.get(
              CompletableFuture.allOf(
                  away.stream()
                      .map(each -> async.getAdmin().move(each.getEncodedNameAsBytes(), target))
                      .toArray(CompletableFuture<?>[]::new)));
          return away.isEmpty();
        });
  }

  /** Kills a server; returns when the other one has opened all regions. */
  void kill9(int number) throws IOException {
    int other = 1 - number;
    Set<RegionInfo> all = Set.copyOf(regions());
    bench.servers().kill9(servers[number]);
    await(
        "the other server opened all regions",
        () -> admin.getRegions(nameOf(servers[other])).containsAll(all));
  }

  void stop(int number) throws IOException {
    bench.servers().stop(servers[number]);
  }

  void start(int number) throws IOException {
    servers[number] = bench.servers().start(setups.get(number));
  }

  /** Drops the cached blocks of the table on a server that serves all regions. */
  void forget(int number) throws IOException {
    awaitQuiet();
    admin.clearBlockCache(table());
    long left =
        TerraceStats.read(servers[number].server().jmx()).map(TerraceStats::blocks).orElse(0L);
    bench.servers().log("Server " + number + " forgets the table's blocks; others: " + left);
  }

  /** Waits until the store is no longer read. */
  void awaitQuiet() throws IOException {
    long[] last = {-1, 0};
    await(
        "nothing is read from the store",
        () -> {
          long before = last[0];
          last[0] = 0;
          for (LoadedServer server : servers) {
            last[0] += store(server).number("readBytes");
          }
          last[1] = last[0] == before ? last[1] + 1 : 0;
          return last[1] == QUIET_LOOKS;
        });
  }

  /** Returns the counters of a server's store: a {@link SlowStoreMXBean}. */
  static JmxClient.Bean store(LoadedServer server) throws IOException {
    return server
        .server()
        .jmx()
        .bean(SlowStoreMXBean.QUERY)
        .orElseThrow(() -> new IOException(server + " does not tell what it reads"));
  }

  private void await(String what, IOSupplier<Boolean> condition) throws IOException {
    master.server().await(what, PATIENCE, condition);
  }

  @Override
  public void close() throws IOException {
    clients.close();
    async.close();
    admin.close();
    bench.servers().end(List.of(servers));
    bench.servers().end(List.of(master));
  }
}
