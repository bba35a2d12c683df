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
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.tools.TraceSize;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Simulations against the known figures of public traces. The traces are no part of the project:
 * they are looked for where the system property {@code terrace.traces} says, or else in {@code
 * ../shared/traces} beside the project, and without them these tests are skipped.
 */
final class SharedTracesTest {

  private static final String TRACES_PROPERTY = "terrace.traces";

  private static final Map<String, Trace> READ = new HashMap<>();

  private static Trace read(String name) throws IOException {
    Trace known = READ.get(name);
    if (known == null) {
      known = readFile(name);
      READ.put(name, known);
    }
    return known;
  }

  private static Trace readFile(String name) throws IOException {
    String property = System.getProperty(TRACES_PROPERTY);
    // Tests run in the module's directory, one below the project's.
    Path folder = property != null ? Path.of(property) : Path.of("../../shared/traces");
    Path file = folder.resolve(name);
    assumeTrue(
        Files.exists(file), () -> "skipped, no trace " + file + "; set -D" + TRACES_PROPERTY);
    return new TraceReader(Traces.BLOCK_BYTES).read(file);
  }

  @ParameterizedTest
  @CsvSource({
    "w106.trace.xz, 5292456, 275171",
    "2_pools.trace.gz, 100000, 9939",
    "multi1.trace.gz, 15858, 2606"
  })
  void everyAccessIsRead(String name, int accesses, int blocks) throws IOException {
    Trace trace = read(name);

    assertThat(trace.length()).isEqualTo(accesses);
    assertThat(trace.distinctBlocks()).isEqualTo(blocks);
  }

  @ParameterizedTest
  @CsvSource({
    "w106.trace.xz, 5%, 85.7, 91.8",
    "2_pools.trace.gz, 5%, 51.0, 62.8",
    "2_pools.trace.gz, 25%, 61.6, 77.8",
    "multi1.trace.gz, 5%, 23.8, 49.3",
    "multi1.trace.gz, 25%, 47.2, 62.6"
  })
  void lruAndTheOptimumAreAsKnown(String name, String size, double lru, double optimum)
      throws IOException {
    Trace trace = read(name);
    long capacityBytes = TraceSize.parse(size).bytesOf(trace);

    assertThat(100.0 * Peer.LRU.hits(trace, capacityBytes) / trace.length())
        .isCloseTo(lru, within(0.1));
    assertThat(100.0 * Peer.OPTIMUM.hits(trace, capacityBytes) / trace.length())
        .isCloseTo(optimum, within(0.1));
  }

  @ParameterizedTest
  @CsvSource({"w106.trace.xz, 88.7", "2_pools.trace.gz, 51.9", "multi1.trace.gz, 45.0"})
  void wTinyLfuIsAsKnown(String name, double ratio) throws IOException {
    Trace trace = read(name);
    long capacityBytes = TraceSize.parse("5%").bytesOf(trace);
    long hits = Peer.W_TINY_LFU.hits(trace, capacityBytes);

    assertThat(100.0 * hits / trace.length()).isCloseTo(ratio, within(0.6));
  }
}
