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
package dev.terrace.bench.macro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.bench.hbase.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResourcesTest {

  @TempDir Path folder;

  private final Resources small = new Resources(MacroPlanTest.options(MacroScale.SMALL));

  @Test
  void theSmallScaleFitsIntoTenGigabytes() {
    assertThat(small.memory().bytes() + small.pmem().bytes()).isLessThan(10L << 30);
    assertThat(small.pmem()).hasToString("480 MB");
  }

  @Test
  void tooLittleMemoryIsOneLineThatSaysWhatIsNeeded() throws IOException {
    Files.writeString(folder.resolve("meminfo"), "MemTotal: 9 kB\nMemAvailable:  1048576 kB\n");
    assertThat(Resources.availableMemory(folder)).hasValue(1L << 30);
    assertThatThrownBy(() -> small.require(folder, folder, folder, folder))
        .isInstanceOf(RunFailure.class)
        .hasMessageContaining("1 GB are available")
        .hasMessageContaining("--configurations")
        .hasMessageNotContaining("\n");
  }

  @Test
  void tooLittleSpaceNamesDirectoryAndOption() {
    MacroOptions options = MacroPlanTest.options(MacroScale.SMALL);
    Resources huge =
        new Resources(
            new MacroOptions(
                "huge",
                Integer.MAX_VALUE,
                options.sizes(),
                options.configurations(),
                options.workloads(),
                1,
                options.time(),
                options.warmUp(),
                1,
                false));
    assumeTrue(folder.toFile().getUsableSpace() < huge.disk().bytes());
    assertThatThrownBy(() -> huge.require(folder.resolve("none"), folder, folder, folder))
        .isInstanceOf(RunFailure.class)
        .hasMessageContaining("not enough space in " + folder)
        .hasMessageContaining("--dir")
        .hasMessageNotContaining("\n");
  }

  @Test
  void withoutMeminfoTheMemoryIsNotKnown() {
    assertThat(Resources.availableMemory(folder.resolve("none"))).isEmpty();
  }
}
