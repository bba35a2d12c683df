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
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PerfCountersTest {

  @TempDir Path folder;

  @Test
  void readsSingleNumbersAndLeavesTextsOut() throws IOException {
    ByteBuffer file = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
    file.put(new byte[] {(byte) 0xca, (byte) 0xfe, (byte) 0xc0, (byte) 0xc0, 1, 2, 0, 1});
    file.putInt(24, 32).putInt(28, 2);
    entry(file, 32, "sun.a", 'J', 0, 77);
    entry(file, 32 + 64, "sun.b", 'B', 8, 1);
    assertThat(PerfCounters.read(write(file.array()))).containsOnlyKeys("sun.a");
    assertThat(PerfCounters.read(write(file.array()))).containsEntry("sun.a", 77L);
  }

  private static void entry(
      ByteBuffer file, int at, String name, char type, int vectorLength, long value) {
    file.putInt(at, 64).putInt(at + 4, 20).putInt(at + 8, vectorLength).put(at + 12, (byte) type);
    file.putInt(at + 16, 40).putLong(at + 40, value);
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      file.put(at + 20 + i, bytes[i]);
    }
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("1"), bytes);
  }

  @Test
  void aMissingFileHasNoCountersAndAnotherFileIsAnError() throws IOException {
    assertThat(PerfCounters.read(folder.resolve("none"))).isEmpty();
    Path other = write(new byte[100]);
    assertThatThrownBy(() -> PerfCounters.read(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(other.toString());
  }

  @Test
  void findsTheContendedLocksOfThisJvm() throws IOException {
    Path file =
        PerfCounters.file(
            Path.of("/tmp"), System.getProperty("user.name"), ProcessHandle.current().pid());
    assumeTrue(Files.exists(file), "a JVM without UsePerfData");
    Map<String, Long> counters = PerfCounters.read(file);
    assertThat(counters).containsKey("sun.rt.safepoints");
    assumeTrue(
        Runtime.version().feature() <= 17
            || counters.keySet().stream().anyMatch(name -> name.startsWith("sun.rt._sync_")),
        "a newer JVM, which does not count what happens to monitors");
    assertThat(counters).containsKey("sun.rt._sync_ContendedLockAttempts");
  }
}
