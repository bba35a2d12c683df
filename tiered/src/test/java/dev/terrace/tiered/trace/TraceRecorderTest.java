// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.terrace.tiered.trace.TraceRecorder.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TraceRecorderTest {

  private static final int TYPE = 2;
  private static final int SIZE_BYTES = 66_000;

  @TempDir private Path folder;
  private final AtomicLong nanos = new AtomicLong();
  private final TraceRecorder recorder =
      new TraceRecorder(file -> file.startsWith("a") ? "default:users" : null, nanos::get);

  @AfterEach
  void stop() {
    recorder.stop();
  }

  private TraceRecorder.Options options(int oneIn, boolean withTables) {
    return new TraceRecorder.Options(folder, oneIn, 1, 10, withTables);
  }

  private void read(String file, long offset) {
    recorder.add(Kind.READ, file, offset, SIZE_BYTES, TYPE);
  }

  private static RecordedTrace parse(byte[] bytes, List<RecordedTrace.Access> accesses)
      throws IOException {
    return RecordedTrace.read(new ByteArrayInputStream(bytes), accesses::add);
  }

  private static List<RecordedTrace.Access> accesses(Path file) throws IOException {
    List<RecordedTrace.Access> accesses = new ArrayList<>();
    assertThat(parse(Files.readAllBytes(file), accesses).isWhole()).isTrue();
    return accesses;
  }

  @Test
  void anErrorEndsTheRecordingAndNotItsThreadAlone() throws IOException {
    TraceRecorder failing =
        new TraceRecorder(
            file -> {
              throw new StackOverflowError("as asked");
            },
            nanos::get);
    failing.start(options(1, true));
    failing.add(Kind.READ, "a1", 0, SIZE_BYTES, TYPE);
    await().until(() -> !failing.isOn());
    assertThat(failing.status()).contains("failed");
  }

  @Test
  void whatIsRecordedIsReadAgain() throws IOException {
    read("a1", 7);
    assertThat(recorder.isOn()).isFalse();
    assertThat(recorder.status()).isEqualTo("none");
    final Path file = recorder.start(options(1, true));
    assertThat(recorder.isOn()).isTrue();
    recorder.add(Kind.READ, "a1", 0, 0, TYPE);
    recorder.add(Kind.PUT, "a1", 0, SIZE_BYTES, TYPE);
    recorder.add(Kind.PASSING_READ, "b1", 1L << 40, SIZE_BYTES, 15);
    recorder.add(Kind.PUT_AHEAD, "a1", 9, 1, TYPE);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    recorder.stop();
    read("a1", 8);

    List<RecordedTrace.Access> accesses = new ArrayList<>();
    RecordedTrace trace = parse(Files.readAllBytes(file), accesses);
    assertThat(accesses)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("millis")
        .containsExactly(
            new RecordedTrace.Access(Kind.READ, 0, "default:users", 0, 0, TYPE, 0),
            new RecordedTrace.Access(Kind.PUT, 0, "default:users", 0, SIZE_BYTES, TYPE, 0),
            new RecordedTrace.Access(Kind.PASSING_READ, 1, "", 1L << 40, SIZE_BYTES, 15, 0),
            new RecordedTrace.Access(Kind.PUT_AHEAD, 0, "default:users", 9, 1, TYPE, 0));
    assertThat(trace.oneIn()).isEqualTo(1);
    assertThat(trace.reads()).isEqualTo(1);
    assertThat(trace.dropped()).isZero();
    assertThat(trace.millis()).isEqualTo(2_000);
    assertThat(recorder.isOn()).isFalse();
    assertThat(recorder.status()).contains(file.toString(), "it was stopped", "4 entries written");
  }

  @Test
  void theFileHasNoNamesAndOnlyItsOwnerReadsIt() throws IOException {
    Path file = recorder.start(options(1, false));
    String name = "a6f0cd8f2b9e4c7e9a1d3b5f7e9c1a3d";
    read(name, 0);
    recorder.stop();

    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    assertThat(bytes).doesNotContain(name).doesNotContain("users");
    assertThat(accesses(file).get(0).table()).isEmpty();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  /** A write of a thread that is interrupted fails, as on a full disk. */
  @Test
  void aFileThatCannotBeWrittenIsNotThere() throws IOException {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> recorder.start(options(1, false)))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("path=" + folder + "/terrace-")
          .hasMessageContaining(" cannot be written, no trace was recorded: ");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(folder.toFile().list()).isEmpty();
    assertThat(recorder.isOn()).isFalse();
    assertThat(Files.exists(recorder.start(options(1, false)))).isTrue();
  }

  @Test
  void aSampledBlockHasAllOfItsAccesses() throws IOException {
    Path file = recorder.start(options(8, false));
    for (int round = 0; round < 3; round++) {
      for (int offset = 0; offset < 8_000; offset++) {
        read("a" + offset % 10, offset);
      }
    }
    recorder.stop();

    List<Long> offsets = accesses(file).stream().map(RecordedTrace.Access::offset).toList();
    List<Long> blocks = offsets.stream().distinct().toList();
    assertThat(blocks).hasSizeBetween(850, 1150);
    assertThat(offsets).hasSize(3 * blocks.size());
    assertThat(offsets.subList(blocks.size(), 2 * blocks.size())).isEqualTo(blocks);
    assertThat(recorder.status()).contains("1 block in 8", "24000 reads of all blocks");
  }

  @Test
  void itEndsWhenTheFileIsFull() throws IOException {
    Path file = recorder.start(options(1, false));
    await()
        .until(
            () -> {
              for (int offset = 0; offset < 1_000; offset++) {
                read("a", offset);
              }
              return !recorder.isOn();
            });

    assertThat(recorder.status()).contains("the file is full");
    assertThat(Files.size(file)).isBetween((1L << 20) - 100, 1L << 20);
    assertThat(accesses(file)).hasSizeGreaterThan(50_000);
    recorder.stop();
    assertThat(recorder.status()).contains("the file is full");
  }

  @Test
  void itEndsWhenTheTimeIsOver() throws IOException {
    Path file = recorder.start(options(1, false));
    read("a", 1);
    nanos.set(Duration.ofSeconds(10).toNanos());
    await().until(() -> !recorder.isOn());

    assertThat(recorder.status()).contains("the time is over");
    assertThat(accesses(file)).hasSize(1);
  }

  @Test
  void whatTheWriterDoesNotManageIsDroppedAndCounted() throws IOException {
    Path file = folder.resolve("slow.trace");
    TraceWriter writer = new TraceWriter(file, 1, 0, 16 << 20, name -> null);
    TraceRecorder.Options options = new TraceRecorder.Options(folder, 1, 16, 10, false);
    TraceRecorder.Recording recording =
        new TraceRecorder.Recording(file, options, writer, nanos::get);
    int added = 70_000;
    for (int offset = 0; offset < added; offset++) {
      recording.add(Kind.READ, "a", offset, SIZE_BYTES, TYPE);
    }
    boolean unused = recording.drain(true);

    List<RecordedTrace.Access> accesses = new ArrayList<>();
    RecordedTrace trace = parse(Files.readAllBytes(file), accesses);
    assertThat(trace.reads()).isEqualTo(added);
    assertThat(trace.dropped()).isPositive();
    assertThat(accesses).hasSize((int) (added - trace.dropped()));
    assertThat(accesses).extracting(RecordedTrace.Access::offset).isSorted();
  }

  @Test
  void onlyOneAtATimeAndOnlyIntoAFolderThatExists() throws IOException {
    Path absent = folder.resolve("absent");
    TraceRecorder.Options wrong = new TraceRecorder.Options(absent, 1, 1, 1, false);
    assertThatThrownBy(() -> recorder.start(wrong))
        .isInstanceOf(IOException.class)
        .hasMessage("path=" + absent + " is not a folder: create it first");
    final Path file = recorder.start(options(1, false));
    assertThatThrownBy(() -> recorder.start(options(1, false)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(file.toString());
    recorder.stop();

    assertThatThrownBy(() -> new TraceWriter(file, 1, 0, 1 << 20, name -> null))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void namesTheOptionThatIsWrong() {
    assertThatThrownBy(() -> new TraceRecorder.Options(folder, 0, 1, 1, false))
        .hasMessageContaining("oneIn=0 is out of range: use 1 to 65536");
    assertThatThrownBy(() -> new TraceRecorder.Options(folder, 1, 65_537, 1, false))
        .hasMessageContaining("maxMegabytes=65537 is out of range");
    assertThatThrownBy(() -> new TraceRecorder.Options(folder, 1, 1, 0, false))
        .hasMessageContaining("maxSeconds=0 is out of range");
  }

  /** Chunks of a few entries each. */
  private byte[] recorded() throws IOException {
    Path file = folder.resolve("whole.trace");
    try (TraceWriter writer = new TraceWriter(file, 4, 5, 1 << 20, name -> "default:" + name)) {
      for (int i = 0; i < 60; i++) {
        String name = "f" + i % 7;
        writer.add(new TraceRecorder.Recording.Seen(Kind.READ, name, i, SIZE_BYTES, TYPE), i);
        if (i % 10 == 9) {
          writer.flush(i);
        }
      }
      writer.end(240, 0, 60);
    }
    return Files.readAllBytes(file);
  }

  @Test
  void aCutFileEndsWithItsLastWholeChunk() throws IOException {
    byte[] whole = recorded();
    List<RecordedTrace.Access> all = new ArrayList<>();
    assertThat(parse(whole, all).isWhole()).isTrue();
    assertThat(all).hasSize(60);

    for (int length = TraceFormat.HEADER_BYTES; length < whole.length; length++) {
      List<RecordedTrace.Access> some = new ArrayList<>();
      RecordedTrace cut = parse(Arrays.copyOf(whole, length), some);
      assertThat(cut.isWhole()).as("length=%d", length).isFalse();
      assertThat(some.size() % 10).isZero();
      assertThat(some).isEqualTo(all.subList(0, some.size()));
    }
    for (int length = 0; length < TraceFormat.HEADER_BYTES; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> parse(cut, new ArrayList<>()))
          .hasMessage("position=0: not a recorded trace");
    }
  }

  @Test
  void aDamagedFileIsAnErrorOrEndsBeforeTheDamage() throws IOException {
    byte[] whole = recorded();
    List<RecordedTrace.Access> all = new ArrayList<>();
    parse(whole, all);
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = whole.clone();
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      List<RecordedTrace.Access> some = new ArrayList<>();
      Throwable thrown =
          // A length that is too large looks like a cut file.
          catchThrowable(() -> assertThat(parse(bytes, some).isWhole()).isFalse());
      if (thrown != null) {
        assertThat(thrown)
            .as("byte %d", at)
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith("position=");
      }
      assertThat(some).isEqualTo(all.subList(0, some.size()));
    }
  }

  @Test
  void chunksThatAreRepeatedOrFollowTheEndAreAnError() throws IOException {
    byte[] whole = recorded();
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    assertThatThrownBy(() -> parse(longer, new ArrayList<>()))
        .hasMessage("position=" + whole.length + ": unexpected bytes after the end");

    int chunkBytes = firstChunkBytes(whole);
    byte[] repeated = Arrays.copyOf(whole, TraceFormat.HEADER_BYTES + 2 * chunkBytes);
    System.arraycopy(
        whole,
        TraceFormat.HEADER_BYTES,
        repeated,
        TraceFormat.HEADER_BYTES + chunkBytes,
        chunkBytes);
    assertThatThrownBy(() -> parse(repeated, new ArrayList<>()))
        .hasMessageContaining("corrupt chunk: checksum mismatch");
  }

  @Test
  void theEndIsTheLastEntryAndHasCounts() throws IOException {
    assertThat(parse(withEnd(3, 0, 0), new ArrayList<>()).reads()).isEqualTo(3);
    assertThatThrownBy(() -> parse(withEnd(3, 0, TraceFormat.END_BYTES), new ArrayList<>()))
        .hasMessageContaining("corrupt chunk: reads=3 dropped=0 behind=17");
    assertThatThrownBy(() -> parse(withEnd(-2, 0, 0), new ArrayList<>()))
        .hasMessageContaining("reads=-2");
    assertThatThrownBy(() -> parse(withEnd(0, -1, 0), new ArrayList<>()))
        .hasMessageContaining("dropped=-1");
  }

  /** A trace of nothing but its end, with bytes behind it in the same chunk. */
  private static byte[] withEnd(long reads, long dropped, int bytesBehind) {
    ByteBuffer entries =
        ByteBuffer.allocate(TraceFormat.END_BYTES + bytesBehind)
            .put(TraceFormat.END)
            .putLong(reads)
            .putLong(dropped)
            .rewind();
    ByteBuffer file =
        ByteBuffer.allocate(
                TraceFormat.HEADER_BYTES + TraceFormat.CHUNK_HEADER_BYTES + entries.limit())
            .putLong(TraceFormat.MAGIC)
            .putInt(TraceFormat.VERSION)
            .putInt(1)
            .putLong(0);
    file.putInt(TraceFormat.check(file))
        .putInt(entries.limit())
        .putInt(TraceFormat.check(TraceFormat.HEADER_BYTES, 0, entries))
        .putLong(0)
        .put(entries);
    return file.array();
  }

  private static int firstChunkBytes(byte[] whole) {
    int length = ByteBuffer.wrap(whole).getInt(TraceFormat.HEADER_BYTES);
    return TraceFormat.CHUNK_HEADER_BYTES + length;
  }
}
