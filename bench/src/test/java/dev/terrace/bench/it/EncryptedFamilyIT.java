// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A real HBase with an encrypted family beside a plain one, blocks cached on write and on read,
 * flushed, compacted and read after restarts: the cache's files hold the one's values in clear, and
 * none of the other's, which stay in DRAM first and lie encrypted then.
 */
@Tag("hadoop")
@Tag("long")
final class EncryptedFamilyIT {

  private static final TableName TABLE = TableName.valueOf("accounts");
  private static final byte[] PLAIN = Bytes.toBytes("plain");
  private static final byte[] SECRET = Bytes.toBytes("secret");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 6_000;
  private static final String PASSWORD = "password";
  private static final Pattern IN_PMEM = Pattern.compile(", (\\d+) in pmem");

  private final Path folder;
  private final Path cache;
  private HBaseServer server;

  EncryptedFamilyIT() throws IOException {
    folder = Setups.emptyFolder("EncryptedFamilyIT");
    cache = folder.resolve("cache");
  }

  @AfterEach
  void stop() throws IOException {
    Setups.stop(server);
  }

  private Path keys() throws IOException, GeneralSecurityException {
    Path file = folder.resolve("keys.jceks");
    KeyStore store = KeyStore.getInstance("JCEKS");
    char[] password = PASSWORD.toCharArray();
    store.load(null, password);
    Map<String, byte[]> keys =
        Map.of("master", new byte[16], "next", PASSWORD.repeat(2).getBytes(US_ASCII));
    for (Map.Entry<String, byte[]> key : keys.entrySet()) {
      store.setEntry(
          key.getKey(),
          new KeyStore.SecretKeyEntry(new SecretKeySpec(key.getValue(), "AES")),
          new KeyStore.PasswordProtection(password));
    }
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password);
    }
    return file;
  }

  private void start(Path keys, String encryption, String masterKey, String alternate)
      throws IOException {
    String provider = "org.apache.hadoop.hbase.io.crypto.KeyStoreKeyProvider";
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    settings.put("hbase.rs.cacheblocksonwrite", "true");
    settings.put("hbase.crypto.keyprovider", provider);
    settings.put(
        "hbase.crypto.keyprovider.parameters", "jceks://" + keys + "?password=" + PASSWORD);
    settings.put("hbase.crypto.master.key.name", masterKey);
    settings.put("hbase.crypto.master.alternate.key.name", alternate);
    settings.put("hbase.terrace.encryption", encryption);
    settings.put("hbase.terrace.dram.size", "4m");
    settings.put("hbase.terrace.create.paths", "true");
    settings.put("hbase.terrace.pmem.paths", cache.resolve("pmem").toString());
    settings.put("hbase.terrace.pmem.size", "16m");
    settings.put("hbase.terrace.ssd.paths", cache.resolve("ssd").toString());
    settings.put("hbase.terrace.ssd.size", "32m");
    server =
        Setups.start(Setups.terrace("encrypted", 128L << 20, settings), folder.resolve("hbase"));
  }

  private static byte[] value(byte[] family, int row) {
    return Bytes.toBytes((Bytes.toString(family) + " value of row " + row + ". ").repeat(40));
  }

  private void write() throws IOException {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      ColumnFamilyDescriptor secret =
          ColumnFamilyDescriptorBuilder.newBuilder(SECRET).setEncryptionType("AES").build();
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(PLAIN))
              .setColumnFamily(secret)
              .build());
      for (int half = 0; half < 2; half++) {
        List<Put> puts = new ArrayList<>();
        for (int row = half; row < ROWS; row += 2) {
          Put put = new Put(Bytes.toBytes(row));
          for (byte[] family : List.of(PLAIN, SECRET)) {
            put.addColumn(family, QUALIFIER, value(family, row));
          }
          puts.add(put);
        }
        table.put(puts);
        admin.flush(TABLE);
      }
    }
  }

  private void assertAllRight() throws IOException {
    try (Connection connection = server.connect();
        Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(200))) {
      int row = 0;
      for (Result result : scanner) {
        assertThat(result.getRow()).isEqualTo(Bytes.toBytes(row));
        assertThat(result.getValue(PLAIN, QUALIFIER)).isEqualTo(value(PLAIN, row));
        assertThat(result.getValue(SECRET, QUALIFIER)).isEqualTo(value(SECRET, row));
        row++;
      }
      assertThat(row).isEqualTo(ROWS);
    }
  }

  private TerraceStats.Tier tier(String name) throws IOException {
    return TwoServers.tier(server, name);
  }

  private boolean cacheHas(byte[] family) throws IOException {
    String text = Bytes.toString(family) + " value of row ";
    try (Stream<Path> files = Files.walk(cache)) {
      return files.filter(Files::isRegularFile).anyMatch(file -> has(file, text));
    }
  }

  private static boolean has(Path file, String text) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void itsValuesAreNotInTheCachesFiles() throws Exception {
    Files.createDirectories(cache);
    Path keys = keys();
    start(keys, "none", "master", "");
    write();
    assertAllRight();
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin.majorCompact(TABLE);
    }
    assertAllRight();
    assertAllRight();
    assertThat(tier("pmem").refusals()).containsKey("ENCRYPTED");
    assertThat(BeanOperations.whyNotCached(server, "accounts secret"))
        .contains(" times: ENCRYPTED. The family is encrypted", ", 0 in pmem, 0 in ssd.");
    assertThat(BeanOperations.whyNotCached(server, "accounts plain"))
        .contains(" of family plain of table default:accounts are cached");
    server.stop();
    assertThat(cacheHas(PLAIN)).isTrue();
    assertThat(cacheHas(SECRET)).isFalse();

    start(keys, "encrypted-families", "master", "");
    assertThat(Files.readString(server.log()))
        .contains("is started empty: its contents change from");
    server.await("blocks of both families in PMem", Patience.LIMIT, this::bothFamiliesAreInPmem);
    assertThat(tier("pmem").refusals()).doesNotContainKey("ENCRYPTED");
    server.kill();
    assertThat(cacheHas(PLAIN)).isTrue();
    assertThat(cacheHas(SECRET)).isFalse();

    // The master key was replaced, and the SSD's data key is lost.
    Files.delete(cache.resolve("ssd/terrace/key"));
    start(keys, "encrypted-families", "next", "master");
    assertThat(Files.readString(server.log()))
        .containsOnlyOnce("is started empty: it has no data key");
    server.await("PMem is warm", Patience.LIMIT, () -> isInPmem(PLAIN) && isInPmem(SECRET));
    assertAllRight();
    assertThat(tier("pmem").hits()).isGreaterThan(100);
    assertThat(tier("pmem").faults()).isEmpty();
    server.stop();
    assertThat(cacheHas(PLAIN)).isTrue();
    assertThat(cacheHas(SECRET)).isFalse();
  }

  private boolean bothFamiliesAreInPmem() throws IOException {
    assertAllRight();
    return isInPmem(PLAIN) && isInPmem(SECRET);
  }

  private boolean isInPmem(byte[] family) throws IOException {
    String text = BeanOperations.whyNotCached(server, "accounts " + Bytes.toString(family));
    Matcher blocks = IN_PMEM.matcher(text);
    return blocks.find() && Integer.parseInt(blocks.group(1)) > 10;
  }
}
