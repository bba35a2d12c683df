// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.LocalCluster;
import dev.terrace.hbase.OneKey;
import dev.terrace.hbase.settings.TerraceSettings;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions that move between two servers, and take their blocks along. */
@Tag("hadoop")
@Tag("cluster")
@Tag("long")
class PeersTest {

  private static final int ROWS = 20_000;
  private static final int HOT_EVERY = 100;
  private static final int HANDLERS = 8;

  @TempDir static File folder;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    Map<String, String> settings = new HashMap<>();
    settings.put(TerraceSettings.WARM_RATE.key(), "50m,peers");
    settings.put(HConstants.REGION_SERVER_HANDLER_COUNT, Integer.toString(HANDLERS));
    settings.put(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, OneKey.class.getName());
    settings.put(HConstants.CRYPTO_KEYPROVIDER_PARAMETERS_KEY, "key");
    settings.put(RpcClientFactory.CUSTOM_RPC_CLIENT_IMPL_CONF_KEY, AnsweredCalls.class.getName());
    cluster = new LocalCluster(folder, 2, settings);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static long figure(int server, String name) {
    return cluster.cache(server).regionWarmup().get(name);
  }

  private static int home(TableName table) {
    return cluster.regionsOf(0, table).isEmpty() ? 1 : 0;
  }

  private static long misses() {
    return cluster.cache(0).getStats().getMissCount() + cluster.cache(1).getStats().getMissCount();
  }

  private static void readHotRows(TableName table) throws IOException {
    try (Table reads = cluster.open(table)) {
      for (int number = 0; number < ROWS; number += HOT_EVERY) {
        byte[] row = LocalCluster.row(number);
        assertThat(reads.get(new Get(row)).getValue(LocalCluster.FAMILY, LocalCluster.FAMILY))
            .isEqualTo(LocalCluster.value(row));
      }
    }
  }

  private static void move(TableName table, int to) throws IOException {
    requestMove(table, to);
    await().until(() -> figure(to, "regionsToWarm") == 0);
  }

  private static void requestMove(TableName table, int to) throws IOException {
    byte[] region = cluster.regionsOf(1 - to, table).get(0).getRegionInfo().getEncodedNameAsBytes();
    await()
        .until(
            () -> {
              if (cluster.regionsOf(1 - to, table).size() == 1) {
                cluster.admin.move(region, cluster.server(to).getServerName());
              }
              return !cluster.regionsOf(to, table).isEmpty();
            });
  }

  /** Creates a table on a server, which has its hot rows cached. */
  private static TableName hotTable(int server, String name, String compression, String encryption)
      throws IOException {
    TableName table = TableName.valueOf(name);
    cluster.admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(LocalCluster.FAMILY)
                    .setBlocksize(4 << 10)
                    .setCompressionType(Compression.Algorithm.valueOf(compression))
                    .setEncryptionType(encryption)
                    .build())
            .build());
    cluster.load(table, 0, ROWS);
    if (home(table) != server) {
      move(table, server);
    }
    readHotRows(table);
    return table;
  }

  private static void readAllHits(TableName table) throws IOException {
    cluster.locate(table);
    long misses = misses();
    readHotRows(table);
    assertThat(misses()).isEqualTo(misses);
  }

  @Test
  void aRegionTakesItsBlocksFromItsLastServerAndReadsNothing() throws IOException {
    for (String compression : List.of("NONE", "GZ")) {
      int from = 0;
      TableName table = hotTable(from, "moves" + compression, compression, null);
      int to = 1 - from;
      long taken = figure(to, "blocksFromPeer");
      long given = figure(from, "peerBlocksGiven");
      long read = figure(to, "bytesReadToWarm");

      move(table, to);

      assertThat(figure(to, "blocksFromPeer") - taken).isGreaterThan(ROWS / HOT_EVERY / 2);
      assertThat(figure(to, "bytesReadToWarm")).isEqualTo(read);
      assertThat(figure(from, "peerBlocksGiven") - given).isGreaterThan(ROWS / HOT_EVERY / 2);
      assertThat(figure(to, "peerBytesTaken")).isPositive();
      assertThat(figure(to, "peerBlocksDamaged")).isZero();
      readAllHits(table);
    }
  }

  @Test
  void blocksOfAnEncryptedFamilyAreNotSentInPlainText() throws IOException {
    TableName table = hotTable(0, "encrypted", "NONE", "AES");
    long given = figure(0, "peerBlocksGiven");
    long lacking = figure(1, "peerBlocksLacking");
    long warmed = figure(1, "blocksWarmed");

    move(table, 1);

    assertThat(figure(0, "peerBlocksGiven")).isEqualTo(given);
    assertThat(figure(1, "peerBlocksLacking") - lacking).isGreaterThan(ROWS / HOT_EVERY / 2);
    assertThat(figure(1, "blocksWarmed") - warmed).isGreaterThan(ROWS / HOT_EVERY / 2);
    readAllHits(table);
  }

  /** Holds the handlers of Gets. */
  public static final class HeldGets implements RegionCoprocessor, RegionObserver {

    private static final AtomicInteger HELD = new AtomicInteger();
    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(
        ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> results) {
      HELD.incrementAndGet();
      Uninterruptibles.awaitUninterruptibly(RELEASED);
    }
  }

  @Test
  void aServerThatIsFullOfWorkGivesNothingAndServesItsReaders() throws Exception {
    TableName held = cluster.create("held", HeldGets.class.getName());
    cluster.load(held, 0, 100);
    int from = home(held);
    int to = 1 - from;
    TableName table = hotTable(from, "busy", "NONE", null);
    long given = figure(from, "peerBlocksGiven");
    long refused = figure(from, "peerRequestsBusy");
    long busy = figure(to, "peerCallsBusy");
    long warmed = figure(to, "blocksWarmed");
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(cluster.configuration()).get()) {
      List<CompletableFuture<Result>> gets = new ArrayList<>();
      for (int number = 0; number < 3 * HANDLERS / 4; number++) {
        gets.add(connection.getTable(held).get(new Get(LocalCluster.row(number))));
      }
      await().until(() -> HeldGets.HELD.get() == gets.size());
      requestMove(table, to);
      await()
          .until(
              () -> {
                // Gets would be held.
                cluster.missesOfScanOn(from, held, 100);
                return figure(to, "regionsToWarm") == 0;
              });
      assertThat(HeldGets.HELD.get()).isEqualTo(gets.size());
      HeldGets.RELEASED.countDown();
      for (int number = 0; number < gets.size(); number++) {
        assertThat(gets.get(number).get().getValue(LocalCluster.FAMILY, LocalCluster.FAMILY))
            .isEqualTo(LocalCluster.value(LocalCluster.row(number)));
      }
    } finally {
      HeldGets.RELEASED.countDown();
    }
    assertThat(figure(from, "peerBlocksGiven")).isEqualTo(given);
    assertThat(figure(from, "peerRequestsBusy")).isGreaterThan(refused);
    assertThat(figure(to, "peerCallsBusy")).isGreaterThan(busy);
    assertThat(figure(to, "blocksWarmed") - warmed).isGreaterThan(ROWS / HOT_EVERY / 2);
    readAllHits(table);
  }

  @Test
  void blocksOfAFileThatIsCompactedDuringTheCallAreNotCached() throws IOException {
    TableName table = hotTable(1, "compacted", "NONE", null);
    long given = figure(1, "peerBlocksGiven");
    long taken = figure(0, "peerBlocksTaken");
    Set<String> replaced = new HashSet<>();
    AnsweredCalls.next(
        () -> {
          replaced.addAll(cluster.files(table));
          // Until its blocks are evicted, HBase has the file open.
          cluster.regions(table).get(0).compact(true);
          return null;
        });

    move(table, 0);

    assertThat(replaced).hasSize(1);
    assertThat(cluster.files(table)).hasSize(2);
    assertThat(figure(1, "peerBlocksGiven") - given).isGreaterThan(ROWS / HOT_EVERY / 2);
    assertThat(cluster.cachedBytes(0)).doesNotContainKeys(replaced.toArray(String[]::new));
    assertThat(figure(0, "peerBlocksTaken")).isEqualTo(taken);
    readHotRows(table);
  }

  private static byte[] call(String user, ServerName server, byte[] request) throws IOException {
    User caller = User.create(UserGroupInformation.createRemoteUser(user));
    try (PeerClient client = new PeerClient(cluster.configuration(), caller)) {
      return client.call(server, request);
    }
  }

  private static byte[] call(String user) throws IOException {
    return call(user, cluster.server(0).getServerName(), BlockMessages.request(List.of()));
  }

  @Test
  void anotherUserIsDenied() throws IOException {
    String own = UserGroupInformation.getLoginUser().getShortUserName();
    assertThat(call(own)).isEmpty();

    long denied = figure(0, "peerRequestsDenied");
    assertThatThrownBy(() -> call("mallory")).isInstanceOf(AccessDeniedException.class);
    assertThat(figure(0, "peerRequestsDenied")).isEqualTo(denied + 1);
  }

  @Test
  void withoutKerberosAndPeersInTheRateNobodyIsServed() throws IOException {
    String own = UserGroupInformation.getLoginUser().getShortUserName();
    for (String rate : List.of("50m", "0", "0,peers")) {
      change(0, rate);
      await()
          .untilAsserted(
              () -> assertThatThrownBy(() -> call(own)).isInstanceOf(AccessDeniedException.class));
      change(0, "50m,peers");
      await().untilAsserted(() -> assertThat(call(own)).isEmpty());
    }
  }

  private static void change(int server, String rate) {
    Configuration conf = cluster.server(server).getConfiguration();
    conf.set(TerraceSettings.WARM_RATE.key(), rate);
    cluster.server(server).onConfigurationChange(conf);
  }

  @Test
  void aRequestThatIsNotUnderstoodFails() throws IOException {
    String user = UserGroupInformation.getLoginUser().getShortUserName();
    ServerName server = cluster.server(0).getServerName();
    byte[] tooMany = {127, 0, 0, 0};
    for (byte[] wrong : List.of(new byte[0], new byte[] {1}, tooMany)) {
      assertThatThrownBy(() -> call(user, server, wrong)).isInstanceOf(IOException.class);
    }
  }

  /** A port that takes connections and never answers, as that of a suspended process. */
  @Test
  void aServerThatHangsCostsASecond() throws IOException {
    try (ServerSocket hanging = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      ServerName server = ServerName.valueOf("localhost", hanging.getLocalPort(), 1);
      long sinceNanos = System.nanoTime();
      assertThatThrownBy(() -> call("x", server, new byte[0])).isInstanceOf(IOException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - sinceNanos))
          .isGreaterThan(Duration.ofMillis(900))
          .isLessThan(Duration.ofSeconds(10));
    }
  }
}
