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
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real HBase server in a process of its own: either a standalone one (ZooKeeper, master and one
 * region server on the local file system), or one more region server that joins a standalone one.
 *
 * <p>Start one with {@link #in(Path)}. It ends with this JVM, however that ends. Safe for use by
 * several threads.
 */
public final class HBaseServer implements AutoCloseable {

  /** Settings with which a standalone server may be suspended for some minutes. */
  public static final Map<String, String> SUSPENDABLE =
      Map.of(
          "zookeeper.session.timeout.localHBaseCluster", "600000",
          "hbase.zookeeper.property.maxSessionTimeout", "600000");

  private static final Logger LOG = LoggerFactory.getLogger(HBaseServer.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
  private static final Duration COMPACTION_LIMIT = Duration.ofMinutes(10);
  private static final int TAIL_LINES = 15;

  private final ServerFolder folder;
  private final ServerPorts ports;
  private final Path dataDirectory;
  private final JavaProcess process;
  private final boolean hasMaster;
  private final JmxClient jmx;

  HBaseServer(
      ServerFolder folder,
      ServerPorts ports,
      Path dataDirectory,
      JavaProcess process,
      boolean hasMaster) {
    this.folder = folder;
    this.ports = ports;
    this.dataDirectory = dataDirectory;
    this.process = process;
    this.hasMaster = hasMaster;
    this.jmx = new JmxClient(url(ports.regionServerInfo(), "/jmx"));
  }

  /**
   * Returns a builder of a standalone server that keeps its configuration and its log in this
   * folder.
   */
  public static HBaseServerBuilder in(Path directory) {
    return new HBaseServerBuilder(directory, null);
  }

  /**
   * Returns a builder of one more region server in a process of its own, which joins this server.
   */
  public HBaseServerBuilder regionServerIn(Path directory) {
    return new HBaseServerBuilder(directory, this);
  }

  /** Returns the page of the region server. */
  public URI regionServerPage() {
    return url(ports.regionServerInfo(), "/rs-status");
  }

  /** Returns the page of the master that this server, or the one it joined, runs. */
  public URI masterPage() {
    return url(ports.masterInfo(), "/master-status");
  }

  /** Returns a reader of the region server's JMX beans. */
  public JmxClient jmx() {
    return jmx;
  }

  /** Returns the file that gets everything the server says. */
  public Path log() {
    return folder.log();
  }

  /**
   * Returns the folder of the files and of ZooKeeper; another server may be started over it after
   * this one ended.
   */
  public Path dataDirectory() {
    return dataDirectory;
  }

  /** Returns the system's id of the process. */
  public long pid() {
    return process.pid();
  }

  /** Returns the processor time that the process has used; zero when the system does not tell. */
  public Duration processorTime() {
    return process.processorTime().orElse(Duration.ZERO);
  }

  /** Returns whether the process runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Stops the process where it is: it uses no processor, and answers nobody until {@link #resume}.
   * A server that is to survive more than a few seconds of this needs {@link #SUSPENDABLE}.
   *
   * @throws IOException if the process is gone
   */
  public void suspend() throws IOException {
    process.signal("STOP");
  }

  /**
   * Lets a suspended process go on.
   *
   * @throws IOException if the process is gone
   */
  public void resume() throws IOException {
    process.signal("CONT");
  }

  ServerPorts ports() {
    return ports;
  }

  /**
   * Returns a configuration with which a client finds this server. A call gives up after two
   * minutes.
   */
  public Configuration clientConfiguration() {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.setInt("hbase.zookeeper.property.clientPort", ports.zooKeeper());
    configuration.setInt("hbase.rpc.timeout", 60_000);
    configuration.setInt("hbase.client.operation.timeout", 120_000);
    configuration.setInt("hbase.client.meta.operation.timeout", 120_000);
    return configuration;
  }

  /**
   * Connects a client; the caller closes it.
   *
   * @throws IOException if the connection cannot be made
   */
  public Connection connect() throws IOException {
    return ConnectionFactory.createConnection(clientConfiguration());
  }

  /**
   * Waits until something holds. A condition that throws an {@link IOException} does not hold yet.
   *
   * @param what what is waited for, for the message of a failure
   * @throws HBaseServerException if the server ends first, or the time is over
   */
  public void await(String what, Duration limit, Condition condition) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    IOException newest = null;
    while (true) {
      try {
        if (condition.holds()) {
          return;
        }
        newest = null;
      } catch (IOException e) {
        newest = e;
      }
      if (process.awaitEnd(POLL)) {
        throw failure("ended with exit value " + process.exitValue() + " before " + what, newest);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw failure("was no longer waited for: the waiting thread was interrupted", newest);
      }
      if (System.nanoTime() - deadline > 0) {
        throw failure("runs, but not within " + limit.toSeconds() + " s: " + what, newest);
      }
    }
  }

  /**
   * Makes sure that the process runs; for those who wait for a client, which would try again for
   * minutes.
   *
   * @throws HBaseServerException if it has ended
   */
  public void requireAlive() throws HBaseServerException {
    if (!process.isAlive()) {
      throw failure("ended with exit value " + process.exitValue(), null);
    }
  }

  private HBaseServerException failure(String what, Exception cause) {
    return new HBaseServerException(
        "HBase (process " + pid() + ") " + what, log(), LogTail.lines(log(), TAIL_LINES), cause);
  }

  /**
   * Flushes a table and compacts it to one file for each store; returns when that is done.
   *
   * @throws IOException if the server refuses, ends first, or takes more than ten minutes
   */
  public void compact(Connection connection, TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
      long before = admin.getLastMajorCompactionTimestamp(table);
      admin.majorCompact(table);
      await(
          "table " + table + " was compacted",
          COMPACTION_LIMIT,
          () ->
              admin.getLastMajorCompactionTimestamp(table) > before
                  && admin.getCompactionState(table) == CompactionState.NONE);
    }
  }

  /**
   * Waits until a client can use the server: its region server is known to the master, and the
   * master is at work.
   */
  void awaitReady(Duration limit) throws IOException {
    long start = System.nanoTime();
    await("its region server answered on " + jmx.address(), limit, () -> jmx.answers());
    try (Connection connection = connectImpatiently();
        Admin admin = connection.getAdmin()) {
      Duration left = limit.minusNanos(System.nanoTime() - start);
      await("its master took the region server in", left, () -> isAtWork(admin));
    }
  }

  private boolean isAtWork(Admin admin) throws IOException {
    ClusterMetrics metrics =
        admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
    boolean known =
        metrics.getLiveServerMetrics().values().stream()
            .anyMatch(server -> server.getInfoServerPort() == ports.regionServerInfo());
    // Namespaces are read through the master, which refuses that until it has finished its own
    // start.
    return known && admin.listNamespaceDescriptors().length > 0;
  }

  private Connection connectImpatiently() throws IOException {
    Configuration impatient = clientConfiguration();
    impatient.setInt("hbase.client.retries.number", 1);
    impatient.setInt("hbase.rpc.timeout", 15_000);
    impatient.setInt("hbase.client.operation.timeout", 15_000);
    return ConnectionFactory.createConnection(impatient);
  }

  /**
   * Asks the server to end, and kills it if it does not within 20 s. Returns when it is gone. With
   * a standalone server its whole cluster ends, other region servers that joined it included.
   */
  public void stop() {
    if (hasMaster && process.isAlive() && askMasterToShutDown()) {
      process.awaitEnd(STOP_PATIENCE);
    }
    process.stop(Duration.ofSeconds(5));
  }

  /**
   * A standalone server that only gets a signal closes its ZooKeeper first and may then wait for it
   * for a long time.
   */
  private boolean askMasterToShutDown() {
    try (Connection connection = connectImpatiently();
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

  /** Ends the process as {@code kill -9} does. Returns when it is gone. */
  public void kill9() {
    process.kill();
  }

  /** Stops the server. */
  @Override
  public void close() {
    stop();
  }

  private static URI url(int port, String path) {
    return URI.create("http://localhost:" + port + path);
  }

  /** Something that is true or not yet. */
  @FunctionalInterface
  public interface Condition {
    /**
     * Returns whether it holds now.
     *
     * @throws IOException if that cannot be found out now
     */
    boolean holds() throws IOException;
  }
}
