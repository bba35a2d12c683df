// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.slow.SlowStore.SlowDevice;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("hadoop")
final class SlowFileSystemTest {

  private static final long MS = 1_000_000;
  private static final byte[] BYTES = new byte[1_000_000];

  @TempDir java.nio.file.Path folder;

  private final HandClock clock = new HandClock(0);
  private final SlowStore store =
      new SlowStore(
          new SlowDevice(
              new SlowProfile(
                  "test",
                  Duration.ofMillis(25),
                  Duration.ofMillis(25),
                  Duration.ofMillis(10),
                  50_000_000,
                  0,
                  false)),
          clock,
          Optional.empty());
  private final SlowFileSystem files = new SlowFileSystem(store);
  private Path file;

  @BeforeEach
  void write() throws IOException {
    for (int i = 0; i < BYTES.length; i++) {
      BYTES[i] = (byte) ((i * 31) >> 3);
    }
    Map<String, String> settings =
        SlowSettings.forHBase(folder.toString(), SlowProfile.OBJECT_STORE);
    String root = settings.get("hbase.rootdir");
    assertThat(root).startsWith("terrace-slow:///");
    files.initialize(URI.create(root), new Configuration(false));
    file = new Path(root, "file");
    try (FSDataOutputStream out = files.create(file, true)) {
      out.write(BYTES);
    }
  }

  @Test
  void writesGoToTheLocalFileAtTheSpeedOfAStream() throws IOException {
    assertThat(Files.readAllBytes(folder.resolve("file"))).isEqualTo(BYTES);
    assertThat(clock.nanoTime()).isEqualTo((2 * 10 + 25 + 20) * MS);
  }

  @Test
  void eachPositionalReadIsARequest() throws IOException {
    try (FSDataInputStream in = files.open(file)) {
      long start = clock.nanoTime();
      byte[] read = new byte[50_000];
      in.readFully(100_000, read);
      in.readFully(150_000, read);

      assertThat(read).isEqualTo(Arrays.copyOfRange(BYTES, 150_000, 200_000));
      assertThat(clock.nanoTime() - start).isEqualTo(2 * 26 * MS);
    }
  }

  @Test
  void aStreamPaysForARequestWhereItSeeks() throws IOException {
    try (FSDataInputStream in = files.open(file)) {
      long start = clock.nanoTime();
      byte[] read = new byte[50_000];
      in.readFully(read);
      in.readFully(read);
      assertThat(clock.nanoTime() - start).isEqualTo((25 + 1 + 1) * MS);

      in.seek(500_000);
      in.readFully(read);
      assertThat(clock.nanoTime() - start).isEqualTo((27 + 25 + 1) * MS);
      assertThat(read).isEqualTo(Arrays.copyOfRange(BYTES, 500_000, 550_000));
    }
  }

  @Test
  void aLittleAheadIsStillTheSameRequest() throws IOException {
    try (FSDataInputStream in = files.open(file)) {
      byte[] read = new byte[50_000];
      in.readFully(read);
      long before = clock.nanoTime();
      in.seek(100_000);
      in.readFully(read);

      assertThat(clock.nanoTime() - before).isEqualTo(2 * MS);
    }
  }

  @Test
  void shortWaitsAddUp() throws IOException {
    try (FSDataInputStream in = files.open(file)) {
      in.readFully(new byte[100]);
      int waits = clock.waitsNanos().size();
      for (int i = 0; i < 100; i++) {
        in.readFully(new byte[1_000]);
      }

      assertThat(clock.waitsNanos().size() - waits).isBetween(1, 11);
      assertThat(clock.waitsNanos()).allMatch(wait -> wait >= 200_000);
    }
  }

  @Test
  void lookingCostsARequestWithoutData() throws IOException {
    long start = clock.nanoTime();
    assertThat(files.getFileStatus(file).getPath().toString()).isEqualTo(file.toString());
    assertThat(files.listStatus(file.getParent())).hasSize(1);
    assertThat(files.rename(file, file.suffix("2"))).isTrue();
    assertThat(files.delete(file.suffix("2"), false)).isTrue();

    assertThat(clock.nanoTime() - start).isGreaterThanOrEqualTo(40 * MS);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void nothingWaitsUntilTheWarmUpIsOver() throws IOException {
    java.nio.file.Path warmUp = Files.createFile(folder.resolve("warm-up"));
    SlowStore warm = new SlowStore(new SlowDevice(SlowProfile.HDD), clock, Optional.of(warmUp));
    long start = clock.nanoTime();
    assertThat(warm.transfer(start, 1 << 20, this, false)).isEqualTo(start);

    Files.delete(warmUp);
    clock.awaitNanoTime(start + 50 * MS);
    assertThat(warm.transfer(start, 0, this, false)).isEqualTo(start + (50 + 8) * MS);
  }

  @Test
  void theJarHoldsEachClassOfThePackage() throws Exception {
    java.nio.file.Path first =
        java.nio.file.Path.of(SlowStore.class.getResource("SlowStore.class").toURI());
    try (JarFile jar = new JarFile(SlowSettings.writeJar(folder).toFile());
        Stream<java.nio.file.Path> classes = Files.list(first.getParent())) {
      assertThat(jar.stream().map(JarEntry::getName))
          .containsExactlyInAnyOrderElementsOf(
              classes
                  .map(each -> each.getFileName().toString())
                  .filter(name -> name.matches("Slow.*[.]class"))
                  .map(name -> "dev/terrace/bench/slow/" + name)
                  .toList());
    }
  }
}
