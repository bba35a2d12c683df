// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.replay.ReplayedTiers.StoredScale;
import dev.terrace.tiered.trace.TraceRecorder;
import dev.terrace.tiered.trace.TraceRecorder.Kind;
import dev.terrace.tools.TraceInput;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

final class TraceReaderTest {

  @TempDir private Path directory;

  private Path write(String name, byte[] bytes) throws IOException {
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file);
        OutputStream packed =
            name.endsWith(".xz")
                ? new XZOutputStream(out, new LZMA2Options(0))
                : name.endsWith(".gz") ? new GZIPOutputStream(out) : out) {
      packed.write(bytes);
    }
    return file;
  }

  private Path write(String name, String text) throws IOException {
    return write(name, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static Trace read(Path file) throws IOException {
    return TraceReader.read(file, 512, null);
  }

  @Test
  void readsLittleEndianNumbers() throws IOException {
    ByteBuffer numbers = ByteBuffer.allocate(100_000 * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 100_000; i++) {
      numbers.putInt(i % 700 - 300);
    }
    Trace trace = read(write("t.xz", numbers.array()));

    assertThat(trace.length()).isEqualTo(100_000);
    assertThat(trace.distinctBlocks()).isEqualTo(700);
    assertThat(trace.block(0)).isZero();
    assertThat(trace.block(99_999)).isEqualTo(99_999 % 700);
    assertThat(trace.sizeBytes(5)).isEqualTo(512);
  }

  @ParameterizedTest
  @CsvSource({"t.gz", "t.trace"})
  void readsANumberALine(String name) throws IOException {
    Trace trace = read(write(name, "7\n* a mark\n8\n\n# a word\n7\r\n-1\n"));

    assertThat(trace.length()).isEqualTo(4);
    assertThat(trace.distinctBlocks()).isEqualTo(3);
    assertThat(trace.block(2)).isEqualTo(trace.block(0));
  }

  @Test
  void readsTimeKeyAndSize() throws IOException {
    Trace trace = read(write("t.txt", "0.5 100 4096\n0.6,101,8192\n0.7\t100\t1\n"));

    assertThat(trace.length()).isEqualTo(3);
    assertThat(trace.sizeBytes(0)).isEqualTo(4096);
    assertThat(trace.sizeBytes(1)).isEqualTo(8192);
    assertThat(trace.distinctBytes()).isEqualTo(12288);
    assertThat(trace.unitBytes()).isEqualTo(4096);
    assertThat(StoredScale.hasOneSize(trace)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"1 2", "much", "1 2 0", "1 2 -5", "1 2 3 4", "1 x 3"})
  void namesTheLineThatIsWrong(String line) throws IOException {
    Path file = write("t.txt", "1\n" + line + "\n");

    assertThatThrownBy(() -> read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(file.toString(), "line 2", line, "must be a key");
  }

  @Test
  void refusesEmptyTracesAndHalfANumber() throws IOException {
    Path empty = write("t.gz", "* nothing\n");
    assertThatThrownBy(() -> read(empty)).hasMessage(empty + " has no accesses");

    Path half = write("t.xz", new byte[] {1, 0, 0, 0, 2, 0});
    assertThatThrownBy(() -> read(half)).hasMessageContaining("ends within a number");
  }

  @ParameterizedTest
  @CsvSource({"t.xz", "t.gz"})
  void namesTheFileThatIsNotCompressed(String name) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, "1\n2\n3\n4\n5\n6\n7\n8\n9\n");

    assertThatThrownBy(() -> read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(file.toString(), "not what its name says");
  }

  /** What a server would record of these reads, one block in so many; blocks miss at first. */
  private Path record(int oneIn, long[] offsets) throws IOException {
    TraceRecorder recorder = new TraceRecorder(file -> "default:" + file, System::nanoTime);
    Path file = recorder.start(new TraceRecorder.Options(directory, oneIn, 1, 60, true));
    Set<Long> cached = new HashSet<>();
    for (long offset : offsets) {
      String name = offset % 2 == 0 ? "even" : "odd";
      int sizeBytes = offset % 2 == 0 ? 65_000 : 67_000;
      boolean isMiss = cached.add(offset);
      recorder.add(Kind.READ, name, offset, isMiss ? 0 : sizeBytes, 0);
      if (isMiss) {
        recorder.add(Kind.PUT, name, offset, sizeBytes, 0);
      }
    }
    recorder.add(Kind.READ, "even", 1_000_000, 0, 0);
    recorder.add(Kind.PASSING_READ, "odd", 999, 0, 0);
    recorder.add(Kind.PUT_AHEAD, "odd", 997, 10, 0);
    recorder.stop();
    return file;
  }

  @Test
  void readsWhatAServerRecorded() throws IOException {
    Path file = record(1, new long[] {4, 7, 4, 9, 7});
    Path packed = write("t.trace.gz", Files.readAllBytes(file));
    for (Path each : List.of(file, packed)) {
      Trace trace = read(each);

      assertThat(IntStream.range(0, trace.length()).map(trace::block))
          .containsExactly(0, 1, 0, 2, 1, 3);
      assertThat(IntStream.range(0, 4).map(trace::sizeBytes))
          .as("the last one was never found: the mean of all sizes")
          .containsExactly(65_000, 67_000, 67_000, 49_752);
      assertThat(trace.oneIn()).isEqualTo(1);
      assertThat(trace.origin()).contains("1 block in 1", "0 accesses dropped");
    }
    Trace odd = TraceReader.read(file, 512, "default:odd");
    assertThat(odd.length()).isEqualTo(3);
    assertThatThrownBy(() -> TraceReader.read(file, 512, "default:none"))
        .hasMessage(file + " has no accesses to default:none");
  }

  @Test
  void tiersShrinkWithASampleOfTheBlocks() throws IOException {
    Trace trace = read(record(4, LongStream.range(0, 4_000).toArray()));

    assertThat(trace.oneIn()).isEqualTo(4);
    assertThat(trace.distinctBlocks()).isBetween(900, 1_100);
    assertThat(TraceInput.Size.parse("64m").bytesOf(trace))
        .isBetween((16L << 20) - trace.unitBytes(), 16L << 20);
    assertThat(TraceInput.Size.parse("50%").bytesOf(trace))
        .isBetween(trace.distinctBytes() / 2 - trace.unitBytes(), trace.distinctBytes() / 2);
  }

  @Test
  void namesTheRecordedTraceThatIsDamaged() throws IOException {
    Path file = record(1, new long[] {4, 7, 4, 9, 7});
    byte[] bytes = Files.readAllBytes(file);
    bytes[60] ^= 1;
    Path damaged = write("damaged.trace", bytes);
    assertThatThrownBy(() -> read(damaged))
        .hasMessageContainingAll(damaged.toString(), "position=28", "damaged");

    Path cut = write("cut.trace", Arrays.copyOf(Files.readAllBytes(file), bytes.length - 1));
    assertThat(read(cut).origin()).endsWith("the file is truncated.");
  }
}
