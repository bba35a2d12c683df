// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.tiered.trace.RecordedTrace;
import dev.terrace.tiered.trace.TraceRecorder;
import dev.terrace.tiered.trace.TraceRecorder.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.util.Pair;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each build reads what the releases before it wrote. The files are in the folder {@code
 * format/VERSION} of the tests' resources, and stay as that release made them. A later format gets
 * a folder of its own beside it, made by {@code ./mvnw test -pl tiered -am
 * -Dtest='FrozenFormatTest,HotListTest' -Dsurefire.failIfNoSpecifiedTests=false
 * -Dterrace.format.make=FOLDER}.
 */
class FrozenFormatTest {

  private static final String RELEASE = "/format/0.1.0/";
  private static final String MAKE = "terrace.format.make";
  private static final String TRACE = "reads.trace";

  /** {@code HotListTest} reads it. */
  private static final String HEAT = "region.heat";

  private static final List<String> FILES = List.of("superblock", "regions", "key", "evictions");

  private static final String WHOLE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "fedcba9876543210fedcba9876543210_SeqId_4_";
  private static final int BLOCKS_OF_A_FILE = 12;
  private static final long EVICTED = 3;
  private static final long WHOLE_BYTES = 10_000;
  static final int BLOCKS = 2 * BLOCKS_OF_A_FILE - 1;

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir Path folder;

  /** The forms of a path. */
  enum Form {
    PMEM("pmem", ""),
    PMEM_KILLED("pmem", ""),
    PMEM_LZ4("pmem", "pmem.compression=lz4"),
    PMEM_ENCRYPTED("pmem", "encryption=all"),
    SSD("ssd", ""),
    SSD_KILLED("ssd", ""),
    SSD_LZ4("ssd", "ssd.compression=lz4"),
    SSD_ZSTD("ssd", "ssd.compression=zstd"),
    SSD_ENCRYPTED("ssd", "encryption=all"),
    SSD_ZSTD_ENCRYPTED("ssd", "ssd.compression=zstd encryption=all");

    final String tier;
    final String settings;

    Form(String tier, String settings) {
      this.tier = tier;
      this.settings = settings;
    }

    boolean isKilled() {
      return name().endsWith("KILLED");
    }

    String file() {
      return name().toLowerCase(Locale.ROOT) + ".zip";
    }

    TieredBlockCache open(OpenCaches caches, Path path) {
      return caches.track(OpenCaches.make(conf(path)));
    }

    Configuration conf(Path path) {
      Configuration conf =
          OpenCaches.conf(
              "hbase.terrace.dram.size",
              "0",
              "hbase.terrace." + tier + ".paths",
              path.toString(),
              "hbase.terrace." + tier + ".size",
              "1m");
      for (String setting : settings.split(" ", -1)) {
        if (!setting.isEmpty()) {
          String[] keyAndValue = setting.split("=", 2);
          conf.set("hbase.terrace." + keyAndValue[0], keyAndValue[1]);
        }
      }
      if (settings.contains("encryption")) {
        conf.set("hbase.crypto.keyprovider", OneKey.class.getName());
        conf.set("hbase.crypto.keyprovider.parameters", "of the tests");
      }
      return conf;
    }
  }

  // ---- The blocks ----

  private static HFileBlock block(String file, long offset) {
    BlockType type = offset % 4 == 1 ? BlockType.LEAF_INDEX : BlockType.DATA;
    return TestBlocks.compressible(file, offset, 400 + 100 * (int) offset, type);
  }

  private static Cacheable look(TieredBlockCache cache, String file, long offset) {
    return cache.getBlock(TestBlocks.key(file, offset), true, false, true);
  }

  static void assertWarm(Form form, TieredBlockCache cache) {
    assertThat(cache.getBlockCount()).isEqualTo(BLOCKS);
    for (String file : List.of(WHOLE, OTHER)) {
      for (long offset = 0; offset < BLOCKS_OF_A_FILE; offset++) {
        Cacheable block = look(cache, file, offset);
        if (file.equals(OTHER) && offset == EVICTED) {
          assertThat(block).as("evicted").isNull();
          continue;
        }
        assertThat(block).as("%s %s", file, offset).isEqualTo(block(file, offset));
        block.release();
      }
    }
    // The table of a region tells it, which a kill leaves unwritten.
    assertThat(cache.getFullyCachedFiles().orElseThrow())
        .isEqualTo(form.isKilled() ? Map.of() : Map.of(WHOLE, new Pair<>("region", WHOLE_BYTES)));
    assertThat(cache.tierStats().values())
        .allSatisfy(
            tier -> {
              assertThat(tier.events().faults()).isEmpty();
              assertThat(tier.writes().compressionRatio() > 1.5)
                  .isEqualTo(form.settings.contains("compression"));
            });
  }

  // ---- Each build ----

  @ParameterizedTest
  @EnumSource(Form.class)
  void aPathOfTheReleaseIsWarm(Form form) throws IOException {
    unpackRelease(form, folder);

    TieredBlockCache cache = form.open(caches, folder);

    await().until(() -> cache.getBlockCount() == BLOCKS);
    assertWarm(form, cache);
  }

  @Test
  void aTraceOfTheReleaseIsRead() throws IOException {
    List<RecordedTrace.Access> accesses = new ArrayList<>();
    try (InputStream in = FrozenFormatTest.class.getResourceAsStream(RELEASE + TRACE)) {
      RecordedTrace trace = RecordedTrace.read(in, accesses::add);
      assertThat(trace.isWhole()).isTrue();
      assertThat(trace.oneIn()).isEqualTo(1);
      assertThat(trace.reads()).isEqualTo(1);
    }
    assertThat(accesses)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("millis")
        .containsExactly(
            new RecordedTrace.Access(Kind.READ, 0, "default:users", 0, 0, 2, 0),
            new RecordedTrace.Access(Kind.PUT, 0, "default:users", 0, 66_000, 2, 0),
            new RecordedTrace.Access(
                Kind.PASSING_READ, 1, "default:users", 1L << 40, 66_000, 15, 0),
            new RecordedTrace.Access(Kind.PUT_AHEAD, 0, "default:users", 9, 1, 2, 0));
  }

  /** Puts what the release wrote into a folder. */
  static void unpackRelease(Form form, Path path) throws IOException {
    unpack(FrozenFormatTest.class.getResourceAsStream(RELEASE + form.file()), path);
  }

  private static void unpack(InputStream packed, Path path) throws IOException {
    Path below = Files.createDirectories(path.resolve("terrace"));
    Files.setPosixFilePermissions(below, PosixFilePermissions.fromString("rwx------"));
    try (ZipInputStream in = new ZipInputStream(packed)) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = below.resolve(entry.getName());
        Files.copy(in, file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
    }
  }

  // ---- Making the files of a release ----

  @ParameterizedTest
  @EnumSource(Form.class)
  @EnabledIfSystemProperty(named = MAKE, matches = ".+")
  void makeAPath(Form form) throws Exception {
    Path path = Files.createDirectory(folder.resolve("made"));
    TieredBlockCache cache = form.open(caches, path);
    org.apache.hadoop.fs.Path whole =
        new org.apache.hadoop.fs.Path("/hbase/data/default/t/region/f/" + WHOLE);
    for (long offset = 0; offset < BLOCKS_OF_A_FILE; offset++) {
      BlockCacheKey key = new BlockCacheKey(whole, offset, true, BlockType.DATA);
      putUntilTaken(cache, key, WHOLE);
      putUntilTaken(cache, TestBlocks.key(OTHER, offset), OTHER);
    }
    cache.notifyFileCachingCompleted(whole, BLOCKS_OF_A_FILE, BLOCKS_OF_A_FILE, WHOLE_BYTES);
    cache.evictBlock(TestBlocks.key(OTHER, EVICTED));
    if (!form.isKilled()) {
      cache.shutdown();
      assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
    }
    // What a kill leaves is whole once the device has written it.
    await().until(() -> pack(path, form));
  }

  /** Keeps a copy of a path if a cache that opens it is warm. */
  private boolean pack(Path path, Form form) throws IOException {
    Path copy = Files.createTempDirectory(folder, "copy");
    Path packed = copy.resolve(form.file());
    try (OutputStream out = Files.newOutputStream(packed);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (String name : FILES) {
        Path file = path.resolve("terrace").resolve(name);
        if (Files.exists(file)) {
          zip.putNextEntry(new ZipEntry(name));
          Files.copy(file, zip);
        }
      }
    }
    try (InputStream in = Files.newInputStream(packed)) {
      unpack(in, copy);
    }
    TieredBlockCache again = form.open(caches, copy);
    try {
      await().atMost(Duration.ofSeconds(5)).until(() -> again.getBlockCount() == BLOCKS);
      assertWarm(form, again);
    } catch (ConditionTimeoutException e) {
      return false;
    } finally {
      again.shutdown();
    }
    Path target = Files.createDirectories(Path.of(System.getProperty(MAKE)));
    Files.copy(packed, target.resolve(form.file()), StandardCopyOption.REPLACE_EXISTING);
    return true;
  }

  private static void putUntilTaken(TieredBlockCache cache, BlockCacheKey key, String file) {
    await()
        .until(
            () -> {
              cache.cacheBlock(key, block(file, key.getOffset()), false, false);
              return cache.isAlreadyCached(key).orElseThrow();
            });
  }

  @Test
  @EnabledIfSystemProperty(named = MAKE, matches = ".+")
  void makeATrace() throws IOException {
    TraceRecorder recorder = new TraceRecorder(file -> "default:users", System::nanoTime);
    Path file = recorder.start(new TraceRecorder.Options(folder, 1, 1, 60, true));
    recorder.add(Kind.READ, "a1", 0, 0, 2);
    recorder.add(Kind.PUT, "a1", 0, 66_000, 2);
    recorder.add(Kind.PASSING_READ, "b1", 1L << 40, 66_000, 15);
    recorder.add(Kind.PUT_AHEAD, "a1", 9, 1, 2);
    recorder.stop();
    Path target = Files.createDirectories(Path.of(System.getProperty(MAKE)));
    Files.copy(file, target.resolve(TRACE), StandardCopyOption.REPLACE_EXISTING);
  }

  /** No file of the release is without its test. */
  @Test
  void eachFileIsRead() throws Exception {
    Path resources = Path.of(FrozenFormatTest.class.getResource(RELEASE).toURI());
    try (Stream<Path> files = Files.list(resources)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(Stream.of(TRACE, HEAT), Stream.of(Form.values()).map(Form::file))
                  .toList());
    }
  }
}
