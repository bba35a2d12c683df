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
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.settings.TerraceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.Key;
import java.time.Duration;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
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
 * Real files, encrypted and plain, read through a cache over an SSD: what was encrypted is never
 * found in the cache's files.
 */
class EncryptedFilesTest {

  private static final int ROWS = 3_000;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String SECRET = "the secret of row ";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Has one key for all names. */
  public static final class OneKey implements KeyProvider {

    @Override
    public void init(String parameters) {}

    @Override
    public Key getKey(String alias) {
      return new SecretKeySpec(new byte[16], "AES");
    }

    @Override
    public Key[] getKeys(String[] aliases) {
      return Stream.of(aliases).map(this::getKey).toArray(Key[]::new);
    }
  }

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir java.nio.file.Path directory;

  private Configuration conf;
  private FileSystem files;

  @BeforeEach
  void configureKeys() throws IOException {
    conf = new Configuration(false);
    conf.set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, OneKey.class.getName());
    conf.set(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, "master");
    files = FileSystem.getLocal(conf);
  }

  private TieredBlockCache open(String dramSize) {
    conf.set(TerraceSettings.DRAM_SIZE.key(), dramSize);
    conf.set(TerraceSettings.CREATE_PATHS.key(), "true");
    conf.set(TerraceSettings.SSD_PATHS.key(), directory.resolve("ssd").toString());
    conf.set(TerraceSettings.SSD_SIZE.key(), "32m");
    TieredBlockCache cache = new TieredBlockCache(conf, EntryPoint.EMBEDDED, () -> 0L);
    return caches.track(cache);
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
        byte[] value = Bytes.toBytes((SECRET + number + " ").repeat(20));
        writer.append(new KeyValue(row, FAMILY, FAMILY, 1L, value));
      }
    }
    return path(name);
  }

  private void readTwice(Path path, BlockCache cache) throws IOException {
    for (int i = 0; i < 2; i++) {
      try (HFile.Reader reader = HFile.createReader(files, path, config(cache), true, conf);
          HFileScanner scanner = reader.getScanner(conf, true, true, false)) {
        int rows = 0;
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          rows++;
        }
        assertThat(rows).isEqualTo(ROWS);
      }
    }
  }

  private static TierStats ssd(TieredBlockCache cache) {
    return cache.tierStats().get("ssd");
  }

  /** Closes the cache, and searches all that it wrote. */
  private boolean deviceHasSecrets(TieredBlockCache cache) throws Exception {
    cache.shutdown();
    assertThat(cache.awaitReleased(PATIENCE)).isTrue();
    try (Stream<java.nio.file.Path> all = Files.walk(directory.resolve("ssd"))) {
      return all.filter(Files::isRegularFile).anyMatch(EncryptedFilesTest::hasSecrets);
    }
  }

  private static boolean hasSecrets(java.nio.file.Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(SECRET);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void blocksOfAnEncryptedFileAreNotStoredWithoutDram() throws Exception {
    TieredBlockCache cache = open("0");
    readTwice(write("secret", encrypted(), null), cache);

    assertThat(ssd(cache).blocks()).isZero();
    assertThat(ssd(cache).refusals().get(PutOutcome.ENCRYPTED)).isPositive();
    assertThat(deviceHasSecrets(cache)).isFalse();
  }

  @Test
  void blocksOfAnEncryptedFileStayInDram() throws Exception {
    TieredBlockCache cache = open("1m");
    Path secret = write("secret", encrypted(), null);
    // While many blocks are on their way down, so small a tier has no room.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              readTwice(secret, cache);
              TierStats dram = cache.tierStats().get("dram");
              assertThat(dram.blocks()).as("blocks in DRAM, of %s", dram).isPositive();
            });

    assertThat(ssd(cache).blocks()).isZero();
    assertThat(deviceHasSecrets(cache)).isFalse();
  }

  @Test
  void blocksThatAreCachedWhileTheyAreWrittenAreNotStored() throws Exception {
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    TieredBlockCache cache = open("0");
    write("secret", encrypted(), cache);

    assertThat(ssd(cache).blocks()).isZero();
    assertThat(ssd(cache).refusals().get(PutOutcome.ENCRYPTED)).isPositive();
    assertThat(deviceHasSecrets(cache)).isFalse();
  }

  /** The counterpart, and that the search finds what is there. */
  @Test
  void blocksOfAPlainFileAreStored() throws Exception {
    TieredBlockCache cache = open("0");
    Path plain = write("plain", new HFileContextBuilder(), null);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              readTwice(plain, cache);
              assertThat(ssd(cache).blocks()).isGreaterThan(50);
            });

    assertThat(deviceHasSecrets(cache)).isTrue();
  }
}
