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
package dev.terrace.hbase.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.ConfigurationSite;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.region.folder.SmallDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of a machine or control group beside what heap and tiers take. */
class MachineCheckTest {

  private static final long GB = 1L << 30;
  private static final long UNKNOWN = Long.MAX_VALUE;

  @TempDir Path temporary;

  private static List<Finding> check(long heapBytes, long memoryBytes, String... keysAndValues) {
    StartChecks checks =
        StartChecks.of(
            new ConfigurationSite(OpenCaches.conf(keysAndValues)),
            new ServerProcess(heapBytes, UNKNOWN, memoryBytes, 17, Optional.empty()));
    List<Finding> findings = new ArrayList<>(checks.errors());
    findings.addAll(checks.warnings());
    findings.removeIf(finding -> !finding.what().contains("control group"));
    return findings;
  }

  @Test
  void heapAndDramMustFit() {
    assertThat(check(4 * GB, 12 * GB, "hbase.terrace.dram.size", "8g")).isEmpty();
    assertThat(check(4 * GB, UNKNOWN, "hbase.terrace.dram.size", "8g")).isEmpty();
    assertThat(check(UNKNOWN, 8 * GB, "hbase.terrace.dram.size", "8g")).isEmpty();
    Finding warning =
        check(4 * GB, 12 * GB - 1, "hbase.terrace.dram.size", "8g").stream().findFirst().get();
    assertThat(warning.isError()).isFalse();
    assertThat(warning.what()).contains("8 GB of direct memory", "4 GB of heap", "has 12.0 GB");
    assertThat(check(4 * GB, 8 * GB - 1, "hbase.terrace.dram.size", "8g"))
        .singleElement()
        .satisfies(error -> assertThat(error.isError()).isTrue());
  }

  @Test
  void filesInMemoryAreMemory() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), 2 * GB)) {
      String[] pmem = {
        "hbase.terrace.pmem.paths", disk.directory().toString(), "hbase.terrace.pmem.size", "1g"
      };
      assertThat(check(UNKNOWN, 2 * GB, pmem)).isEmpty();
      assertThat(check(UNKNOWN, GB, pmem))
          .singleElement()
          .satisfies(
              error -> {
                assertThat(error.isError()).isTrue();
                assertThat(error.what()).contains("1 GB for hbase.terrace.pmem.size on a tmpfs");
              });
    }
  }

  @Test
  void filesOnADiskAreNot() {
    assertThat(
            check(
                UNKNOWN,
                GB / 2,
                "hbase.terrace.ssd.paths",
                temporary.toString(),
                "hbase.terrace.ssd.size",
                "1g"))
        .isEmpty();
  }
}
