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
package dev.terrace.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.hbase.settings.Finding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts that set a region server's memory, and the memory that they set. */
class EnvScriptTest {

  private static final long GB = 1L << 30;
  private static final long MACHINE_BYTES = 64 * GB;

  @TempDir Path folder;

  private static JvmSizes sizes(String script) {
    return new JvmSizes(EnvScript.of(script), MACHINE_BYTES);
  }

  /** The shell is asked what it makes of the same script. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "export X=5G",
        "X=5G",
        "  export   X=5G   # a comment",
        "export X=\"5G\"",
        "export X='5G'",
        "X=\"a b\"'$c d'e",
        "A=1; export X=${A}2",
        "A=1\nX=\"$A-${A}-${B}-${B:-3}\"",
        "X=1\nX=\"$X 2\"\nexport X=\"$X 3\"",
        "X=\"-XX:+UseG1GC \\\n  -Xmx8g\"",
        "# X=1\n#X=2",
        "X=1;",
        "export X=\"\"",
        "X='a;b #c'",
        "XY=1"
      })
  void aVariableHasTheValueThatTheShellGivesIt(String script) throws Exception {
    Path file = Files.writeString(folder.resolve("hbase-env.sh"), script + "\n");
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "/bin/sh is there");
    // Blanks at the ends and between words mean nothing in options of a JVM.
    Process shell =
        new ProcessBuilder("/bin/sh", "-c", ". \"$0\"; printf '%s' \"$X\"", file.toString())
            .redirectErrorStream(true)
            .start();
    String expected = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(expected).isZero();

    assertThat(EnvScript.read(file).get("X").orElse("").replaceAll("\\s+", " "))
        .isEqualTo(expected.strip().replaceAll("\\s+", " "));
  }

  @Test
  void anAbsentScriptSetsNothing() throws Exception {
    assertThat(EnvScript.read(folder.resolve("absent")).get("X")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "export HBASE_OFFHEAPSIZE=5G | 5",
        "export HBASE_OFFHEAPSIZE=\"5g\" | 5",
        "HBASE_OFFHEAPSIZE='5120m' | 5",
        "HBASE_OFFHEAPSIZE=5120 | 5",
        "export HBASE_OPTS=\"$HBASE_OPTS -XX:MaxDirectMemorySize=5g -XX:+UseG1GC\" | 5",
        "export HBASE_REGIONSERVER_OPTS=-XX:MaxDirectMemorySize=5120m | 5",
        "HBASE_OFFHEAPSIZE=9g; HBASE_OPTS=-XX:MaxDirectMemorySize=5g | 5",
        "HBASE_HEAPSIZE=6g | 6",
        "HBASE_OPTS=-Xmx6144m | 6",
        "export HBASE_REGIONSERVER_OPTS=\"-XX:MaxRAMPercentage=50\" | 32",
        "# nothing | 16"
      })
  void directMemoryIsWhatTheScriptAllowsOrAsLargeAsTheHeap(String script, long gigabytes) {
    JvmSizes sizes = sizes(script);

    assertThat(sizes.direct().bytes()).isEqualTo(gigabytes * GB);
    assertThat(sizes.findings()).isEmpty();
  }

  @Test
  void ofSeveralOptionsTheLastOneCounts() {
    JvmSizes sizes =
        sizes(
            """
            export HBASE_HEAPSIZE=4g
            export HBASE_OFFHEAPSIZE=4g
            export HBASE_OPTS="-Xmx5g -XX:MaxDirectMemorySize=5g -XX:MaxRAMPercentage=1"
            export HBASE_REGIONSERVER_OPTS="$HBASE_REGIONSERVER_OPTS -Xmx6g"
            export HBASE_MASTER_OPTS="-Xmx7g -XX:MaxDirectMemorySize=7g"
            """);

    assertThat(sizes.heap()).hasToString("6 GB (HBASE_REGIONSERVER_OPTS in hbase-env.sh)");
    assertThat(sizes.direct()).hasToString("5 GB (HBASE_OPTS in hbase-env.sh)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"8gb", "8t", "much", "-8g", "8 g"})
  void aSizeThatNoJvmTakesIsAnError(String written) {
    List<Finding> findings = sizes("export HBASE_OFFHEAPSIZE='" + written + "'").findings();

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).isError()).isTrue();
    assertThat(findings.get(0).what()).isEqualTo("HBASE_OFFHEAPSIZE=" + written + " is not a size");
  }

  @ParameterizedTest
  @ValueSource(strings = {"$(free -m | awk '{print $2}')m", "`cat size`", "\"$(cat size)g\""})
  void aSizeThatTheScriptComputesIsUnknown(String written) throws IOException {
    JvmSizes sizes = sizes("export HBASE_OFFHEAPSIZE=" + written + "\n");

    assertThat(sizes.direct()).hasToString("unknown (HBASE_OFFHEAPSIZE in hbase-env.sh)");
    assertThat(sizes.findings()).singleElement().matches(finding -> !finding.isError());
  }
}
