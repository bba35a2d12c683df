// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Patience;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.UnusablePathException;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock.CacheSecret;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every device on a {@link CacheFolder} does. Extended by the tests of each kind. */
public abstract class DeviceContractTest {

  private static final int REGION = 64 << 10;
  private static final int REGIONS = 6;
  private static final int UNIT = 4096;
  private static final DeviceGeometry GEOMETRY = new DeviceGeometry(REGION, REGIONS);

  @TempDir Path temporary;

  /** Opens a path, which may be absent. */
  protected abstract Device open(Path path, DeviceGeometry geometry) throws IOException;

  private Path path() {
    return temporary.resolve("cache");
  }

  private Device open() throws IOException {
    return open(path(), GEOMETRY);
  }

  private static void fill(Device device, long seed) throws IOException {
    for (int region = 0; region < device.regions(); region++) {
      RegionBytes.write(device, region, 0, seed + region, REGION);
      device.force(region, 0, REGION);
    }
  }

  private static void check(Device device, long seed, int from, int to) throws IOException {
    for (int region = from; region < to; region++) {
      RegionBytes.check(device, region, 0, seed + region, REGION);
    }
  }

  @Test
  void readsBackWhatWasWritten() throws IOException {
    try (Device device = open()) {
      fill(device, 1);
      check(device, 1, 0, REGIONS);
      ByteBuffer whole = RegionBytes.of(1 + 3, REGION);
      for (int position = 0; position < REGION; position += UNIT) {
        ByteBuffer part =
            RegionBytes.read(device, 3, position, Math.min(3 * UNIT, REGION - position));
        assertThat(part).isEqualTo(whole.slice(position, part.remaining()));
      }
    }
  }

  @Test
  void tellsWhatItWasOpenedAs() throws IOException {
    try (Device device = open()) {
      assertThat(device.path()).isEqualTo(path().toString());
      assertThat(device.regions()).isEqualTo(REGIONS);
      assertThat(device.regionBytes()).isEqualTo(REGION);
      assertThat(device.generation()).isEqualTo(1);
      assertThat(UNIT % device.alignmentBytes()).isZero();
      assertThat(Files.size(path().resolve("terrace/regions"))).isEqualTo(GEOMETRY.sizeBytes());
    }
  }

  @Test
  void startsWithZeros() throws IOException {
    try (Device device = open()) {
      for (int region = 0; region < REGIONS; region++) {
        RegionBytes.checkZero(device, region);
      }
    }
  }

  @Test
  void writesNothingBesideWhatIsAsked() throws IOException {
    try (Device device = open()) {
      fill(device, 5);
      RegionBytes.write(device, 2, UNIT, 77, UNIT);
      RegionBytes.write(device, 2, REGION - UNIT, 78, UNIT);
      RegionBytes.write(device, 4, 0, 79, UNIT);
      check(device, 5, 0, 2);
      check(device, 5, 3, 4);
      check(device, 5, 5, REGIONS);
      ByteBuffer expected = RegionBytes.of(5 + 2, REGION);
      expected.put(UNIT, RegionBytes.of(77, UNIT), 0, UNIT);
      expected.put(REGION - UNIT, RegionBytes.of(78, UNIT), 0, UNIT);
      assertThat(RegionBytes.read(device, 2, 0, REGION)).isEqualTo(expected);
      RegionBytes.check(device, 4, 0, 79, UNIT);
    }
  }

  @Test
  void growsAndShrinksWhileItIsOpen() throws IOException {
    try (Device device = open()) {
      fill(device, 1);
      for (int regions : new int[] {3 * REGIONS, 2, REGIONS, 5 * REGIONS}) {
        int before = device.regions();
        device.resize(regions);
        assertThat(device.regions()).isEqualTo(regions);
        assertThat(Files.size(path().resolve("terrace/regions")))
            .isEqualTo((long) regions * REGION);
        check(device, 1, 0, Math.min(before, regions));
        for (int region = before; region < regions; region++) {
          RegionBytes.checkZero(device, region);
        }
        fill(device, 1);
      }
    }
    try (Device device = open(path(), new DeviceGeometry(REGION, 5 * REGIONS))) {
      assertThat(device.generation()).isEqualTo(2);
      check(device, 1, 0, 5 * REGIONS);
    }
  }

  @Test
  void refusesWhatIsNotThere() throws IOException {
    try (Device device = open()) {
      fill(device, 9);
      for (int region : new int[] {-1, REGIONS, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        assertThatThrownBy(() -> device.read(region, 0, RegionBytes.buffer(UNIT)))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> device.write(region, 0, RegionBytes.buffer(UNIT)))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> device.force(region, 0, UNIT))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      assertThatThrownBy(() -> device.read(0, -UNIT, RegionBytes.buffer(UNIT)))
          .isInstanceOf(IndexOutOfBoundsException.class);
      for (int position : new int[] {REGION - UNIT, REGION, 2 * REGION}) {
        assertThatThrownBy(() -> device.read(1, position, RegionBytes.buffer(2 * UNIT)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("region=1")
            .hasMessageContaining("position=" + position);
        assertThatThrownBy(() -> device.write(1, position, RegionBytes.buffer(2 * UNIT)))
            .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> device.force(1, position, 2 * UNIT))
            .isInstanceOf(IOException.class);
      }
      check(device, 9, 0, REGIONS);
    }
  }

  @Test
  void memoryIsWhatIsReadAndWritten() throws IOException {
    try (Device device = open()) {
      fill(device, 11);
      if (!device.isMapped()) {
        assertThatThrownBy(() -> device.memory(0))
            .isInstanceOf(UnsupportedOperationException.class);
        return;
      }
      for (int region = 0; region < REGIONS; region++) {
        ByteBuffer memory = device.memory(region);
        assertThat(memory.isDirect()).isTrue();
        assertThat(memory.capacity()).isEqualTo(REGION);
        assertThat(memory).isEqualTo(RegionBytes.of(11 + region, REGION));
        memory.position(17).limit(18);
        assertThat(device.memory(region).remaining()).isEqualTo(REGION);
        memory.clear().put(RegionBytes.of(100 + region, REGION));
      }
      check(device, 100, 0, REGIONS);
      assertThatThrownBy(() -> device.memory(REGIONS))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> device.memory(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void keepsItsContents() throws IOException {
    CacheSecret id;
    try (Device device = open()) {
      id = device.secret();
      fill(device, 13);
    }
    for (int generation = 2; generation < 5; generation++) {
      try (Device device = open()) {
        assertThat(device.secret()).isEqualTo(id);
        assertThat(device.generation()).isEqualTo(generation);
        check(device, 13, 0, REGIONS);
      }
    }
  }

  @Test
  void keepsWhatFitsWhenItsSizeChanges() throws IOException {
    CacheSecret id;
    try (Device device = open()) {
      id = device.secret();
      fill(device, 17);
    }
    try (Device device = open(path(), new DeviceGeometry(REGION, REGIONS + 3))) {
      assertThat(device.secret()).isEqualTo(id);
      assertThat(device.regions()).isEqualTo(REGIONS + 3);
      check(device, 17, 0, REGIONS);
      RegionBytes.checkZero(device, REGIONS);
      RegionBytes.checkZero(device, REGIONS + 2);
    }
    try (Device device = open(path(), new DeviceGeometry(REGION, 2))) {
      assertThat(device.secret()).isEqualTo(id);
      check(device, 17, 0, 2);
      assertThat(Files.size(path().resolve("terrace/regions"))).isEqualTo(2L * REGION);
    }
    try (Device device = open()) {
      assertThat(device.secret()).isEqualTo(id);
      assertThat(device.generation()).isEqualTo(4);
      check(device, 17, 0, 2);
      for (int region = 2; region < REGIONS; region++) {
        RegionBytes.checkZero(device, region);
      }
    }
  }

  @Test
  void startsEmptyWithRegionsOfAnotherSize() throws IOException {
    CacheSecret id;
    try (Device device = open()) {
      id = device.secret();
      fill(device, 19);
    }
    try (Device device = open(path(), new DeviceGeometry(2 * REGION, REGIONS))) {
      assertThat(device.secret()).isNotEqualTo(id);
      assertThat(device.generation()).isEqualTo(1);
      RegionBytes.checkZero(device, 0);
      RegionBytes.checkZero(device, REGIONS - 1);
    }
  }

  @Test
  void keepsWhatACutOffFileHas() throws IOException {
    CacheSecret id;
    try (Device device = open()) {
      id = device.secret();
      fill(device, 23);
    }
    try (RandomAccessFile file =
        new RandomAccessFile(path().resolve("terrace/regions").toFile(), "rw")) {
      file.setLength(2L * REGION + REGION / 2);
    }
    try (Device device = open()) {
      assertThat(device.secret()).isEqualTo(id);
      check(device, 23, 0, 2);
      RegionBytes.checkZero(device, 3);
      RegionBytes.write(device, REGIONS - 1, 0, 24, REGION);
      RegionBytes.check(device, REGIONS - 1, 0, 24, REGION);
    }
  }

  @Test
  void startsEmptyWithoutASuperblock() throws IOException {
    CacheSecret id;
    try (Device device = open()) {
      id = device.secret();
      fill(device, 29);
    }
    Files.delete(path().resolve("terrace/superblock"));
    try (Device device = open()) {
      assertThat(device.secret()).isNotEqualTo(id);
      assertThat(device.generation()).isEqualTo(1);
      for (int region = 0; region < REGIONS; region++) {
        RegionBytes.checkZero(device, region);
      }
    }
  }

  @Test
  void hasOneOwner() throws IOException {
    try (Device device = open()) {
      fill(device, 31);
      assertThatThrownBy(this::open)
          .isInstanceOf(UnusablePathException.class)
          .hasMessageContaining(path().toString())
          .hasMessageContaining("in use by this process")
          .hasMessageContaining("pid=" + ProcessHandle.current().pid());
      check(device, 31, 0, REGIONS);
    }
    try (Device device = open()) {
      assertThat(device.generation()).isEqualTo(2);
    }
  }

  @Test
  void isUsedByManyThreads() throws Exception {
    try (Device device = open()) {
      List<Callback> loops = new ArrayList<>();
      for (int region = 0; region < REGIONS; region++) {
        int own = region;
        loops.add(
            () -> {
              for (int round = 0; round < 100; round++) {
                long seed = 1000L * own + round;
                int position = round % (REGION / UNIT) * UNIT;
                RegionBytes.write(device, own, position, seed, UNIT);
                device.force(own, position, UNIT);
                RegionBytes.check(device, own, position, seed, UNIT);
              }
            });
      }
      assertThat(inThreads(loops)).isEqualTo(REGIONS);
    }
  }

  @Test
  void interruptsHarmNobody() throws Exception {
    try (Device device = open()) {
      fill(device, 37);
      AtomicInteger running = new AtomicInteger(4);
      List<Thread> workers = new ArrayList<>();
      AtomicInteger interrupts = new AtomicInteger();
      List<Callback> loops = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int worker = i;
        loops.add(
            () -> {
              synchronized (workers) {
                workers.add(Thread.currentThread());
              }
              try {
                for (int round = 0; round < 200; round++) {
                  // Workers 0 and 1 are interrupted; all read, and each writes its own region.
                  RegionBytes.check(device, 4 + round % 2, 0, 37 + 4 + round % 2, REGION);
                  RegionBytes.write(device, worker, 0, round, UNIT);
                  device.force(worker, 0, UNIT);
                  RegionBytes.check(device, worker, 0, round, UNIT);
                }
              } finally {
                running.decrementAndGet();
              }
            });
      }
      loops.add(
          () -> {
            while (running.get() > 0) {
              synchronized (workers) {
                for (int i = 0; i < Math.min(2, workers.size()); i++) {
                  workers.get(i).interrupt();
                  interrupts.incrementAndGet();
                }
              }
              Thread.onSpinWait();
            }
          });
      assertThat(inThreads(loops)).isEqualTo(5);
      assertThat(interrupts.get()).isGreaterThan(100);
    }
  }

  @Test
  void anInterruptStaysSet() throws IOException {
    try {
      Thread.currentThread().interrupt();
      try (Device device = open()) {
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        RegionBytes.write(device, 0, 0, 43, UNIT);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        RegionBytes.check(device, 0, 0, 43, UNIT);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        device.force(0, 0, UNIT);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
      }
      try (Device device = open()) {
        assertThat(device.generation()).as("kept by an interrupted thread").isEqualTo(2);
        RegionBytes.check(device, 0, 0, 43, UNIT);
      }
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void givesNothingOnceClosed() throws IOException {
    Device device = open();
    fill(device, 47);
    ByteBuffer lease = device.isMapped() ? device.memory(1) : null;
    device.close();
    device.close();
    assertThatThrownBy(() -> device.read(0, 0, RegionBytes.buffer(UNIT)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> device.write(0, 0, RegionBytes.buffer(UNIT)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> device.force(0, 0, UNIT)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> device.memory(0))
        .isInstanceOfAny(IllegalStateException.class, UnsupportedOperationException.class);
    assertThatCode(device::secret).doesNotThrowAnyException();
    if (lease != null) {
      assertThat(lease).isEqualTo(RegionBytes.of(48, REGION));
      Files.delete(path().resolve("terrace/superblock"));
      try (Device next = open()) {
        assertThat(next.generation()).isEqualTo(1);
        assertThat(lease)
            .as("after the path was started empty")
            .isEqualTo(RegionBytes.of(48, REGION));
      }
    }
  }

  /** Runs all at once, and tells how many ended well. */
  private static int inThreads(List<Callback> loops) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(loops.size());
    try {
      List<Future<Integer>> results = new ArrayList<>();
      for (Callback loop : loops) {
        results.add(
            threads.submit(
                () -> {
                  loop.run();
                  return 1;
                }));
      }
      int ended = 0;
      for (Future<Integer> result : results) {
        try {
          ended += result.get();
        } catch (ExecutionException e) {
          throw new AssertionError("a thread failed", e.getCause());
        }
      }
      return ended;
    } finally {
      threads.shutdown();
      assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  private interface Callback {
    void run() throws Exception;
  }
}
