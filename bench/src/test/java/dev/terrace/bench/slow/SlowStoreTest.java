// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.slow.SlowStore.SlowClock;
import dev.terrace.bench.slow.SlowStore.SlowDevice;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
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
final class SlowStoreTest {

  private static final long MS = 1_000_000;

  /** A time near the point where it becomes negative, as System.nanoTime may be. */
  private static final long NOW = Long.MAX_VALUE - 5 * MS;

  private static final byte[] BYTES = new byte[1_000_000];

  @TempDir java.nio.file.Path folder;

  private final HandClock clock = new HandClock();
  private SlowFileSystem files;
  private Path file;

  /** A clock that only waiting moves, and that remembers the waits. */
  private static final class HandClock extends SlowClock {

    private final List<Long> waitsNanos = new ArrayList<>();
    private long nowNanos;

    @Override
    long nanoTime() {
      return nowNanos;
    }

    @Override
    void awaitNanoTime(long deadlineNanos) {
      waitsNanos.add(deadlineNanos - nowNanos);
      nowNanos = deadlineNanos;
    }
  }

  private static SlowDevice device(int latencyMillis, long stream, long all, boolean oneAtATime) {
    return new SlowDevice(
        new SlowProfile("test", latencyMillis, latencyMillis, 10, stream, all, oneAtATime));
  }

  private static long take(SlowDevice device, long atMillis, long bytes) {
    return (device.transfer(NOW + atMillis * MS, bytes, new Object(), false) - NOW) / MS;
  }

  @Test
  void noneDoesNotWait() {
    SlowDevice device = new SlowDevice(SlowProfile.NONE);

    assertThat(device.transfer(NOW, 1 << 30, this, false)).isEqualTo(NOW);
    assertThat(device.metadata(NOW)).isEqualTo(NOW);
  }

  @Test
  void requestsToAnObjectStoreDoNotQueue() {
    SlowDevice device = device(25, 50_000_000, 0, false);

    assertThat(take(device, 0, 500_000)).isEqualTo(25 + 10);
    assertThat(take(device, 0, 500_000)).isEqualTo(25 + 10);
    assertThat(take(device, 1, 0)).isEqualTo(1 + 25);
  }

  @Test
  void requestsShareTheLine() {
    SlowDevice device = device(10, 0, 100_000_000, false);

    assertThat(take(device, 0, 500_000)).isEqualTo(10 + 5);
    assertThat(take(device, 0, 500_000)).isEqualTo(10 + 10);
    assertThat(take(device, 20, 500_000)).isEqualTo(20 + 10 + 5);
  }

  @Test
  void requestsQueueForTheOneHeadOfADisk() {
    SlowDevice device = device(8, 0, 100_000_000, true);

    assertThat(take(device, 0, 200_000)).isEqualTo(10);
    assertThat(take(device, 0, 200_000)).isEqualTo(20);
    assertThat(take(device, 5, 200_000)).isEqualTo(30);
    assertThat(take(device, 100, 200_000)).isEqualTo(110);
  }

  @Test
  void aReaderThatGoesOnSeeksAnewWhenTheHeadWentElsewhere() {
    SlowDevice device = device(8, 0, 100_000_000, true);
    device.transfer(NOW, 100_000, "a", false);

    assertThat(device.transfer(NOW, 100_000, "a", true) - NOW).isEqualTo(10 * MS);
    assertThat(device.transfer(NOW, 100_000, "b", true) - NOW).isEqualTo(19 * MS);
    assertThat(device.transfer(NOW, 100_000, "a", true) - NOW).isEqualTo(28 * MS);
  }

  @Test
  void latenciesAreSpreadBetweenTheLeastAndTheMost() {
    SlowDevice device = new SlowDevice(SlowProfile.OBJECT_STORE);
    long[] latencies =
        IntStream.range(0, 1_000)
            .mapToLong(i -> device.transfer(NOW, 0, this, false) - NOW)
            .sorted()
            .toArray();

    assertThat(latencies[0]).isBetween(20 * MS, 21 * MS);
    assertThat(latencies[999]).isBetween(29 * MS, 30 * MS);
  }

  @BeforeEach
  void write() throws IOException {
    for (int i = 0; i < BYTES.length; i++) {
      BYTES[i] = (byte) ((i * 31) >> 3);
    }
    files =
        new SlowFileSystem(
            new SlowStore(device(25, 50_000_000, 0, false), clock, folder.resolve("no-warm-up")));
    Map<String, String> settings = SlowProfile.OBJECT_STORE.forHBase(folder.toString());
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
  void aStreamPaysForARequestWhereItSeeksFar() throws IOException {
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

      in.seek(600_000);
      in.readFully(read);
      assertThat(clock.nanoTime() - start).isEqualTo((53 + 2) * MS);
    }
  }

  @Test
  void shortWaitsAddUp() throws IOException {
    try (FSDataInputStream in = files.open(file)) {
      in.readFully(new byte[100]);
      int waits = clock.waitsNanos.size();
      for (int i = 0; i < 100; i++) {
        in.readFully(new byte[1_000]);
      }

      assertThat(clock.waitsNanos.size() - waits).isBetween(1, 11);
      assertThat(clock.waitsNanos).allMatch(wait -> wait >= 200_000);
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
    SlowStore warm = new SlowStore(new SlowDevice(SlowProfile.HDD), clock, warmUp);
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
    try (JarFile jar = new JarFile(SlowProfile.writeJar(folder).toFile());
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
