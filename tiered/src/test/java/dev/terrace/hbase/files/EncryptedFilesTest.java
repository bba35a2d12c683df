// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.OneKey;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.region.folder.CacheFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.io.crypto.KeyProvider;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real files, encrypted and plain, read through a cache over devices: what was encrypted is never
 * found in the cache's files.
 */
class EncryptedFilesTest {

  private static final int ROWS = 3_000;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String SECRET = "the secret of row ";
  private static final String PLAIN = "the number of row ";

  /** Has a key of its own for each name. */
  public static final class NamedKeys implements KeyProvider {

    @Override
    public void init(String parameters) {}

    @Override
    public Key getKey(String alias) {
      return new SecretKeySpec(Arrays.copyOf(Bytes.toBytes(alias), 16), "AES");
    }

    @Override
    public Key[] getKeys(String[] aliases) {
      return Stream.of(aliases).map(this::getKey).toArray(Key[]::new);
    }
  }

  @RegisterExtension final LogLines folderLog = new LogLines(CacheFolder.class);
  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir java.nio.file.Path directory;

  private Configuration conf;
  private FileSystem files;

  @BeforeEach
  void configureKeys() throws IOException {
    conf = new Configuration(false);
    conf.set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, OneKey.class.getName());
    conf.set(HConstants.CRYPTO_KEYPROVIDER_PARAMETERS_KEY, "first");
    conf.set(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, "master");
    files = FileSystem.getLocal(conf);
  }

  private TieredBlockCache open(String dramSize) throws IOException {
    conf.set(TerraceSettings.DRAM_SIZE.key(), dramSize);
    conf.set(TerraceSettings.CREATE_PATHS.key(), "true");
    conf.set(
        TerraceSettings.SSD_PATHS.key(),
        Files.createDirectories(directory.resolve("devices")).resolve("ssd").toString());
    conf.set(TerraceSettings.SSD_SIZE.key(), "32m");
    return caches.track(OpenCaches.make(conf, () -> 0L));
  }

  private Path path(String name) {
    return new Path(directory.toString(), "region/f/" + name);
  }

  private CacheConfig config(BlockCache cache) {
    return new CacheConfig(
        conf, ColumnFamilyDescriptorBuilder.of(FAMILY), cache, ByteBuffAllocator.HEAP);
  }

  private HFileContextBuilder encrypted() {
    Encryption.Context crypto = Encryption.newContext(conf);
    crypto.setCipher(Encryption.getCipher(conf, "AES"));
    crypto.setKey(new SecretKeySpec(Bytes.toBytes("0123456789abcdef"), "AES"));
    return new HFileContextBuilder().withEncryptionContext(crypto);
  }

  private static byte[] value(String file, int number) {
    String text = file.startsWith("secret") ? SECRET : PLAIN;
    return Bytes.toBytes((text + number + " ").repeat(20));
  }

  private Path write(String name, HFileContextBuilder context, BlockCache cache)
      throws IOException {
    HFileContext built = context.withBlockSize(16 << 10).withIncludesMvcc(false).build();
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, config(cache))
            .withPath(files, path(name))
            .withFileContext(built)
            .create()) {
      for (int number = 0; number < ROWS; number++) {
        byte[] row = Bytes.toBytes(String.format("row-%06d", number));
        writer.append(new KeyValue(row, FAMILY, FAMILY, 1L, value(name, number)));
      }
    }
    return path(name);
  }

  private void read(Path path, BlockCache cache) throws IOException {
    try (HFile.Reader reader = HFile.createReader(files, path, config(cache), true, conf);
        HFileScanner scanner = reader.getScanner(conf, true, true, false)) {
      int rows = 0;
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        assertThat(CellUtil.cloneValue(scanner.getCell())).isEqualTo(value(path.getName(), rows));
        rows++;
      }
      assertThat(rows).isEqualTo(ROWS);
    }
  }

  private void readTwice(Path path, BlockCache cache) throws IOException {
    read(path, cache);
    read(path, cache);
  }

  private void readUntilStored(Path path, TieredBlockCache cache, int blocks) {
    await()
        .untilAsserted(
            () -> {
              readTwice(path, cache);
              assertThat(ssd(cache).space().blocks()).isGreaterThan(blocks);
            });
  }

  private static TierStats ssd(TieredBlockCache cache) {
    return cache.tierStats().get("ssd");
  }

  private static void close(TieredBlockCache cache) throws InterruptedException {
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
  }

  /** Searches all that the caches wrote. */
  private boolean deviceHas(String text) throws IOException {
    try (Stream<java.nio.file.Path> all = Files.walk(directory.resolve("devices"))) {
      return all.filter(Files::isRegularFile).anyMatch(file -> has(file, text));
    }
  }

  private static boolean has(java.nio.file.Path file, String text) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes the cache, and searches all that it wrote. */
  private boolean deviceHasSecrets(TieredBlockCache cache) throws Exception {
    close(cache);
    return deviceHas(SECRET);
  }

  @Test
  void blocksOfAnEncryptedFileAreNotStoredWithoutDram() throws Exception {
    TieredBlockCache cache = open("0");
    readTwice(write("secret", encrypted(), null), cache);

    assertThat(ssd(cache).space().blocks()).isZero();
    assertThat(ssd(cache).events().refusals().get(PutOutcome.ENCRYPTED)).isPositive();
    assertThat(deviceHasSecrets(cache)).isFalse();
  }

  @Test
  void blocksOfAnEncryptedFileStayInDram() throws Exception {
    TieredBlockCache cache = open("1m");
    Path secret = write("secret", encrypted(), null);
    // While many blocks are on their way down, so small a tier has no room.
    await()
        .untilAsserted(
            () -> {
              readTwice(secret, cache);
              TierStats dram = cache.tierStats().get("dram");
              assertThat(dram.space().blocks()).as("blocks in DRAM, of %s", dram).isPositive();
            });

    assertThat(ssd(cache).space().blocks()).isZero();
    assertThat(deviceHasSecrets(cache)).isFalse();
  }

  @Test
  void blocksThatAreCachedWhileTheyAreWrittenAreNotStored() throws Exception {
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    TieredBlockCache cache = open("0");
    write("secret", encrypted(), cache);

    assertThat(ssd(cache).space().blocks()).isZero();
    assertThat(ssd(cache).events().refusals().get(PutOutcome.ENCRYPTED)).isPositive();
    assertThat(deviceHasSecrets(cache)).isFalse();
  }

  /** The counterpart, and that the search finds what is there. */
  @Test
  void blocksOfAPlainFileAreStored() throws Exception {
    TieredBlockCache cache = open("0");
    Path plain = write("plain", new HFileContextBuilder(), null);
    readUntilStored(plain, cache, 50);
    try (HFile.Reader reader = HFile.createReader(files, plain, config(cache), true, conf)) {
      assertThat(cache.shouldCacheFile(reader.getHFileInfo(), conf)).contains(true);
    }

    close(cache);
    assertThat(deviceHas(PLAIN)).isTrue();
    assertThat(directory.resolve("devices/ssd/terrace/key")).doesNotExist();
  }

  private void encrypting(DeviceEncryption encryption) {
    conf.set(TerraceSettings.ENCRYPTION.key(), TerraceSettings.ENCRYPTION.text(encryption));
  }

  private void masterKey(String madeOf) {
    conf.set(HConstants.CRYPTO_KEYPROVIDER_PARAMETERS_KEY, madeOf);
  }

  /** Encrypted and plain blocks move through three small tiers. */
  @Test
  void blocksOfAnEncryptedFileLieEncryptedBesidePlainOnes() throws Exception {
    encrypting(DeviceEncryption.ENCRYPTED_FAMILIES);
    conf.set(TerraceSettings.PMEM_PATHS.key(), directory.resolve("devices/pmem").toString());
    conf.set(TerraceSettings.PMEM_SIZE.key(), "1m");
    TieredBlockCache cache = open("1m");
    List<Path> written = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      written.add(write("secret" + i, encrypted(), null));
      written.add(write("plain" + i, new HFileContextBuilder(), null));
    }
    await()
        .untilAsserted(
            () -> {
              for (Path path : written) {
                readTwice(path, cache);
              }
              assertThat(ssd(cache).reads().hits().counted()).isGreaterThan(100);
              assertThat(cache.tierStats().get("pmem").reads().hits().counted()).isPositive();
            });
    assertThat(ssd(cache).events().refusals()).doesNotContainKey(PutOutcome.ENCRYPTED);
    assertThat(ssd(cache).events().faults()).isEmpty();

    close(cache);
    assertThat(deviceHas(SECRET)).isFalse();
    assertThat(deviceHas(PLAIN)).isTrue();
  }

  @Test
  void allBlocksLieEncryptedAndComeBack() throws Exception {
    encrypting(DeviceEncryption.ALL);
    TieredBlockCache cache = open("0");
    Path plain = write("plain", new HFileContextBuilder(), null);
    readUntilStored(plain, cache, 50);
    long blocks = ssd(cache).space().blocks();
    close(cache);
    assertThat(deviceHas(PLAIN)).isFalse();

    TieredBlockCache again = open("0");
    await().until(() -> ssd(again).space().blocks() == blocks);
    read(plain, again);
    assertThat(ssd(again).reads().hits().counted()).isGreaterThan(50);
    assertThat(ssd(again).writes().puts()).as("nothing was missing").isZero();
  }

  /** What the folder tells of blocks that it does not keep; the first start has none. */
  private List<String> losses() {
    return folderLog.lines().stream()
        .filter(line -> !line.endsWith("begins empty: no cache was there"))
        .toList();
  }

  @Test
  void anotherMasterKeyStartsEmpty() throws Exception {
    encrypting(DeviceEncryption.ENCRYPTED_FAMILIES);
    TieredBlockCache cache = open("0");
    Path plain = write("plain", new HFileContextBuilder(), null);
    readUntilStored(plain, cache, 50);
    close(cache);

    masterKey("second");
    TieredBlockCache other = open("0");
    assertThat(losses())
        .singleElement()
        .asString()
        .contains("started empty: its data key cannot be unwrapped");
    assertThat(deviceHas(PLAIN)).as("the old blocks").isFalse();
    readUntilStored(plain, other, 50);
    assertThat(ssd(other).events().faults()).isEmpty();
  }

  @Test
  void whatWasWrittenWithAnotherSettingIsDropped() throws Exception {
    TieredBlockCache cache = open("0");
    readUntilStored(write("plain", new HFileContextBuilder(), null), cache, 50);
    close(cache);
    assertThat(deviceHas(PLAIN)).isTrue();

    encrypting(DeviceEncryption.ALL);
    close(open("0"));
    assertThat(deviceHas(PLAIN)).isFalse();
    assertThat(losses())
        .singleElement()
        .asString()
        .contains("started empty: its contents change from", "hbase.terrace.encryption=all");
  }

  @Test
  void withoutAMasterKeyItDoesNotStartAndKeepsItsBlocks() throws Exception {
    encrypting(DeviceEncryption.ALL);
    TieredBlockCache cache = open("0");
    readUntilStored(write("plain", new HFileContextBuilder(), null), cache, 50);
    long blocks = ssd(cache).space().blocks();
    close(cache);

    masterKey("");
    assertThatThrownBy(() -> open("0"))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("hbase.terrace.encryption=all needs HBase's master key, ")
        .hasMessageContaining("check hbase.crypto.keyprovider, ");

    masterKey("first");
    TieredBlockCache again = open("0");
    await().until(() -> ssd(again).space().blocks() == blocks);
    assertThat(losses()).isEmpty();
  }

  @Test
  void anAlternateMasterKeyStillServes() throws Exception {
    encrypting(DeviceEncryption.ALL);
    conf.set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, NamedKeys.class.getName());
    TieredBlockCache cache = open("0");
    readUntilStored(write("plain", new HFileContextBuilder(), null), cache, 50);
    long blocks = ssd(cache).space().blocks();
    close(cache);

    conf.set(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, "next");
    conf.set(HConstants.CRYPTO_MASTERKEY_ALTERNATE_NAME_CONF_KEY, "master");
    TieredBlockCache again = open("0");
    await().until(() -> ssd(again).space().blocks() == blocks);
    assertThat(losses()).isEmpty();
  }
}
