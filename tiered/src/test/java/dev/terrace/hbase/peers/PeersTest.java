// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.LocalCluster;
import dev.terrace.hbase.settings.TerraceSettings;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
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

  @TempDir static File folder;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    cluster = new LocalCluster(folder, 2, Map.of(TerraceSettings.WARM_RATE.key(), "50m,peers"));
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
    byte[] region = cluster.regionsOf(1 - to, table).get(0).getRegionInfo().getEncodedNameAsBytes();
    await()
        .until(
            () -> {
              if (cluster.regionsOf(1 - to, table).size() == 1) {
                cluster.admin.move(region, cluster.server(to).getServerName());
              }
              return !cluster.regionsOf(to, table).isEmpty();
            });
    await().until(() -> figure(to, "regionsToWarm") == 0);
  }

  @Test
  void aRegionTakesItsBlocksFromItsLastServerAndReadsNothing() throws IOException {
    for (String compression : List.of("NONE", "GZ")) {
      TableName table = TableName.valueOf("moves" + compression);
      cluster.admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(LocalCluster.FAMILY)
                      .setBlocksize(4 << 10)
                      .setCompressionType(Compression.Algorithm.valueOf(compression))
                      .build())
              .build());
      cluster.load(table, 0, ROWS);
      readHotRows(table);
      int from = home(table);
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
      cluster.locate(table);
      long misses = misses();
      readHotRows(table);
      assertThat(misses()).isEqualTo(misses);
    }
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
