// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.LocalCluster;
import dev.terrace.hbase.OneKey;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that Kerberos knows, with RPC that is encrypted, and Terrace's default settings. */
@Tag("hadoop")
@Tag("cluster")
@Tag("long")
class KerberosPeersTest {

  private static final int ROWS = 5_000;
  private static final String OWN = "hbase/localhost";
  private static final List<String> OTHERS =
      List.of("hbase", "mallory", "mallory/localhost", "hbase2/localhost");

  @TempDir static File folder;
  private static MiniKdc kdc;
  private static String keytab;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    File files = Files.createDirectories(folder.toPath().resolve("kdc")).toFile();
    kdc = new MiniKdc(MiniKdc.createConf(), files);
    kdc.start();
    keytab = new File(files, "keytab").getPath();
    kdc.createPrincipal(
        new File(keytab), Stream.concat(Stream.of(OWN), OTHERS.stream()).toArray(String[]::new));
    Map<String, String> settings = new HashMap<>();
    for (String part : List.of("hadoop", "hbase")) {
      settings.put(part + ".security.authentication", "kerberos");
    }
    for (String server : List.of("master", "regionserver")) {
      settings.put("hbase." + server + ".kerberos.principal", principal(OWN));
      settings.put("hbase." + server + ".keytab.file", keytab);
    }
    settings.put("hbase.rpc.protection", "privacy");
    settings.put(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, OneKey.class.getName());
    settings.put(HConstants.CRYPTO_KEYPROVIDER_PARAMETERS_KEY, "key");
    Configuration conf = new Configuration(false);
    settings.forEach(conf::set);
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab(principal(OWN), keytab);
    cluster = new LocalCluster(folder, 2, settings);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
    kdc.stop();
  }

  private static String principal(String name) {
    return name + "@" + kdc.getRealm();
  }

  private static byte[] call(UserGroupInformation caller) throws IOException {
    try (PeerClient client = new PeerClient(cluster.configuration(), User.create(caller))) {
      return client.call(cluster.server(0).getServerName(), BlockMessages.request(List.of()));
    }
  }

  @Test
  void serversAreServedAndNobodyElse() throws IOException {
    assertThat(call(UserGroupInformation.getLoginUser())).isEmpty();
    for (String other : OTHERS) {
      UserGroupInformation caller =
          UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal(other), keytab);
      assertThatThrownBy(() -> call(caller)).as(other).isInstanceOf(AccessDeniedException.class);
    }
    assertThat(figure(0, "peerRequestsDenied")).isEqualTo(OTHERS.size());
  }

  @ParameterizedTest
  @CsvSource({"plain,", "encrypted,AES"})
  void aRegionTakesItsBlocksFromItsLastServer(String name, String encryption) throws IOException {
    TableName table = TableName.valueOf(name);
    cluster.admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(LocalCluster.FAMILY)
                    .setBlocksize(4 << 10)
                    .setEncryptionType(encryption)
                    .build())
            .build());
    cluster.load(table, 0, ROWS);
    readRows(table);
    int to = cluster.regionsOf(0, table).isEmpty() ? 0 : 1;
    long taken = figure(to, "blocksFromPeer");
    byte[] region = cluster.regionsOf(1 - to, table).get(0).getRegionInfo().getEncodedNameAsBytes();
    cluster.admin.move(region, cluster.server(to).getServerName());
    await().until(() -> !cluster.regionsOf(to, table).isEmpty());
    await()
        .untilAsserted(() -> assertThat(figure(to, "blocksFromPeer") - taken).isGreaterThan(100));
    assertThat(figure(to, "peerCallsDenied")).isZero();
    readRows(table);
  }

  private static long figure(int server, String name) {
    return cluster.cache(server).regionWarmup().get(name);
  }

  private static void readRows(TableName table) throws IOException {
    try (Table reads = cluster.open(table)) {
      for (int number = 0; number < ROWS; number += 10) {
        byte[] row = LocalCluster.row(number);
        assertThat(reads.get(new Get(row)).getValue(LocalCluster.FAMILY, LocalCluster.FAMILY))
            .isEqualTo(LocalCluster.value(row));
      }
    }
  }
}
