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
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
    try (OutputStream out = Files.newOutputStream(file)) {
      if (name.endsWith(".xz")) {
        try (OutputStream xz = new XZOutputStream(out, new LZMA2Options(0))) {
          xz.write(bytes);
        }
      } else if (name.endsWith(".gz")) {
        try (OutputStream gz = new GZIPOutputStream(out)) {
          gz.write(bytes);
        }
      } else {
        out.write(bytes);
      }
    }
    return file;
  }

  private Path write(String name, String text) throws IOException {
    return write(name, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static Trace read(Path file) throws IOException {
    return new TraceReader(512).read(file);
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
    assertThat(trace.hasOneSize()).isFalse();
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
  void refusesEmptyTraces() throws IOException {
    Path file = write("t.gz", "* nothing\n");

    assertThatThrownBy(() -> read(file)).hasMessage(file + " holds no accesses");
  }

  @Test
  void refusesHalfANumber() throws IOException {
    Path file = write("t.xz", new byte[] {1, 0, 0, 0, 2, 0});

    assertThatThrownBy(() -> read(file)).hasMessageContaining("ends within a number");
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
}
