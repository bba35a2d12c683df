// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UninterruptibleFileTest {

  private static final int BYTES = 8 << 20;
  private static final int INTERRUPTED_READS = 20;

  @TempDir Path temporary;
  private Path path;

  @BeforeEach
  void make() throws IOException {
    path = temporary.resolve("file");
    byte[] bytes = new byte[BYTES];
    RegionBytes.of(1, BYTES).get(bytes);
    Files.write(path, bytes);
  }

  private UninterruptibleFile open() throws IOException {
    return UninterruptibleFile.open(
        path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  /** What a new thread, which may read by another channel, finds wrong with all of the file. */
  private static Throwable readByAnotherThread(UninterruptibleFile file, ByteBuffer expected)
      throws InterruptedException {
    AtomicReference<Throwable> fault = new AtomicReference<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                ByteBuffer target = RegionBytes.buffer(BYTES);
                file.read(0, target);
                assertThat(target.flip().mismatch(expected)).isEqualTo(-1);
              } catch (IOException | AssertionError e) {
                fault.set(e);
              }
            });
    reader.start();
    reader.join();
    return fault.get();
  }

  @Test
  void severalChannelsAreOneFile() throws Exception {
    UninterruptibleFile file =
        UninterruptibleFile.open(
            path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE), 3);
    ByteBuffer expected = RegionBytes.of(2, BYTES);
    file.write(0, expected.duplicate());
    for (int i = 0; i < 6; i++) {
      assertThat(readByAnotherThread(file, expected)).isNull();
    }
    file.close();
    for (int i = 0; i < 6; i++) {
      assertThat(readByAnotherThread(file, expected)).isInstanceOf(IOException.class);
    }
  }

  /** Reads all of it again and again while it is interrupted, and says what went wrong. */
  private static Optional<Throwable> readInterrupted(UninterruptibleFile file)
      throws InterruptedException {
    AtomicReference<Throwable> fault = new AtomicReference<>();
    AtomicInteger interruptedReads = new AtomicInteger();
    Thread reader =
        new Thread(
            () -> {
              ByteBuffer expected = RegionBytes.of(1, BYTES);
              ByteBuffer target = RegionBytes.buffer(BYTES);
              try {
                while (interruptedReads.get() < INTERRUPTED_READS) {
                  boolean before = Thread.interrupted();
                  file.read(0, target.clear());
                  assertThat(target.flip().mismatch(expected)).isEqualTo(-1);
                  if (!before && Thread.currentThread().isInterrupted()) {
                    interruptedReads.incrementAndGet();
                  }
                }
              } catch (IOException | AssertionError e) {
                fault.set(e);
              }
            },
            "reader");
    reader.start();
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              reader.interrupt();
              return !reader.isAlive();
            });
    reader.join();
    return Optional.ofNullable(fault.get());
  }

  /** What must be opened again can fail to be: here it is gone, elsewhere descriptors are. */
  @Test
  void isNeverOpenedAgain() throws IOException, InterruptedException {
    try (UninterruptibleFile file = open()) {
      Files.delete(path);
      assertThat(readInterrupted(file)).isEmpty();
    }
  }

  @Test
  void keepsTheInterruptForTheCaller() throws IOException {
    try (UninterruptibleFile file = open()) {
      Thread.currentThread().interrupt();
      file.read(0, RegionBytes.buffer(8));
      file.write(0, RegionBytes.of(2, 8));
      file.force();
      assertThat(Thread.interrupted()).isTrue();
      ByteBuffer target = RegionBytes.buffer(8);
      file.read(0, target);
      assertThat(target.flip()).isEqualTo(RegionBytes.of(2, 8));
    }
  }

  @Test
  void isNotReplacedByAnotherFile() throws IOException {
    try (UninterruptibleFile file = open()) {
      Files.move(path, temporary.resolve("aside"));
      Files.createFile(path);
      ByteBuffer target = RegionBytes.buffer(8);
      file.read(0, target);
      assertThat(target.flip()).as("still the one that is open").isEqualTo(RegionBytes.of(1, 8));
    }
  }

  @Test
  void doesNotFollowLinks() throws IOException {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), path);
    assertThatThrownBy(
            () -> UninterruptibleFile.open(link, Set.of(StandardOpenOption.READ)).close())
        .isInstanceOf(IOException.class);
  }

  @Test
  void staysClosed() throws IOException {
    UninterruptibleFile file = open();
    file.close();
    file.close();
    assertThatThrownBy(() -> file.read(0, RegionBytes.buffer(1)))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> file.write(0, RegionBytes.buffer(1)))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(file::force).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void saysWhereItEnds() throws IOException {
    try (UninterruptibleFile file = open()) {
      assertThatThrownBy(() -> file.read(BYTES - 3, RegionBytes.buffer(10)))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("position=" + BYTES)
          .hasMessageContaining("remaining=7");
    }
  }
}
