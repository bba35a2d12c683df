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

  @TempDir Path directory;

  @Test
  void readsProcessorAndMemory() throws IOException {
    Path cpuinfo = directory.resolve("cpuinfo");
    Files.writeString(cpuinfo, "processor\t: 0\nmodel name\t: Abacus 9\n");

    assertThat(new Machine(cpuinfo).describe())
        .containsEntry("cpu", "Abacus 9")
        .containsEntry("cores", Runtime.getRuntime().availableProcessors());
    assertThat(new Machine(cpuinfo).oneLine())
        .startsWith("Abacus 9, ")
        .containsPattern(" [1-9]\\d* GiB of memory, ")
        .contains("HBase 2.");
  }

  @Test
  void tellsTheVersionsOfTerraceAndHBase() {
    assertThat(new Machine().describe().get("terrace")).asString().matches("\\d+\\.\\d+.*");
    assertThat(new Machine().describe().get("hbase")).asString().startsWith("2.");
  }

  @Test
  void isUnknownWhereTheSystemDoesNotTell() {
    assertThat(new Machine(directory.resolve("none")).describe()).containsEntry("cpu", "unknown");
  }
}
