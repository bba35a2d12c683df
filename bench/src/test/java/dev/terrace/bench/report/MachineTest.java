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
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineTest {

  @TempDir Path proc;

  @Test
  void readsProcessorAndMemory() throws IOException {
    Files.writeString(proc.resolve("cpuinfo"), "processor\t: 0\nmodel name\t: Abacus 9\n");
    Files.writeString(proc.resolve("meminfo"), "MemTotal:       25165824 kB\n");

    assertThat(new Machine(proc).describe())
        .containsEntry("cpu", "Abacus 9")
        .containsEntry("memory", "24 GiB")
        .containsEntry("cores", Runtime.getRuntime().availableProcessors());
    assertThat(new Machine(proc).oneLine()).startsWith("Abacus 9, ").contains("HBase 2.");
  }

  @Test
  void tellsTheVersionsOfTerraceAndHBase() {
    assertThat(new Machine(proc).describe().get("terrace")).asString().matches("\\d+\\.\\d+.*");
    assertThat(new Machine(proc).describe().get("hbase")).asString().startsWith("2.");
  }

  @Test
  void saysUnknownWhereTheSystemDoesNotTell() {
    assertThat(new Machine(proc).describe())
        .containsEntry("cpu", "unknown")
        .containsEntry("memory", "unknown");
  }
}
