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
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.api.Patience;
import dev.terrace.hbase.settings.Finding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
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

  private EnvScript run(String script) throws IOException, UnreadableConfException {
    return run(script.getBytes(StandardCharsets.UTF_8), ShortCommand.LIMIT);
  }

  private EnvScript run(byte[] script, Duration limit) throws IOException, UnreadableConfException {
    Path file = Files.write(folder.resolve("hbase-env.sh"), script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    return EnvScript.run(folder, folder.resolve("home"), limit);
  }

  private JvmSizes sizes(String script) throws IOException, UnreadableConfException {
    return new JvmSizes(run(script), MACHINE_BYTES);
  }

  /** Whatever a shell can do with a variable. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "export X=5G",
        "  export   X=5G   # a comment",
        "export X='5G'",
        "A=1; export X=$(( A * 5 ))G",
        "export X=5; X+=G",
        "if [ -z \"$NO_SUCH\" ]; then export X=5G; else export X=6G; fi",
        "export X=5G\nif false; then\n  export X=6G\nfi",
        "export X=5G\ncat <<END\nexport X=6G\nEND",
        "f() {\n  export X=6G\n}\nexport X=5G",
        "f() { export X=5G; }; f",
        "export X=$(echo 5; exit 3)G",
        "export X=5G; export X=\"${X:-6G}\"",
        "echo 'this is read by nobody'; read -r line; export X=5G",
        "export X=5G; exec > /dev/null",
        "IFS=5; export X=5G",
        "set -u; export X=5G",
        "case $1 in regionserver) export X=5G;; *) export X=6G;; esac",
        "export X=5G\nif then else"
      })
  void aVariableHasTheValueThatTheShellGivesIt(String script) throws Exception {
    EnvScript env = run(script + "\n");

    assertThat(env.get("X")).contains("5G");
    assertThat(env.findings()).isEmpty();
    assertThat(env.environment()).containsEntry("X", "5G");
  }

  @Test
  void bytesOfAnOldEncodingAreNoFault() throws Exception {
    byte[] latin1 = "# f\u00fcr\nexport X=5G\n".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(run(latin1, ShortCommand.LIMIT).get("X")).contains("5G");
  }

  @Test
  void anAbsentScriptSetsNothing() throws Exception {
    EnvScript env = EnvScript.run(folder, folder.resolve("home"), ShortCommand.LIMIT);

    assertThat(env.get("HBASE_OPTS")).isEmpty();
    assertThat(env.get("HBASE_HOME")).contains(folder.resolve("home").toString());
    assertThat(env.isKnown()).isTrue();
  }

  @Test
  void aScriptForRegionServersFollows() throws Exception {
    Path conf = Files.createDirectories(folder.resolve("home/conf"));
    Path file = Files.writeString(conf.resolve("hbase-env-regionserver.sh"), "X=${X}6G\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(run("export X=5").get("X")).contains("56G");
  }

  @Test
  void aScriptThatEndsTheShellEndsTheStart() throws Exception {
    EnvScript env = run("export X=5G\nexit 0\n");

    assertThat(env.findings()).singleElement().matches(Finding::isError);
  }

  @Test
  void aScriptThatDoesNotEndIsKilled() throws Exception {
    Path told = folder.resolve("told");
    byte[] script =
        ("sleep 1000 & echo $! > " + told + "\nwait\n").getBytes(StandardCharsets.UTF_8);

    EnvScript env = run(script, Duration.ofSeconds(2));

    assertThat(env.isKnown()).isFalse();
    assertThat(env.findings())
        .singleElement()
        .satisfies(
            question -> {
              assertThat(question.severity()).isEqualTo(Finding.Severity.QUESTION);
              assertThat(question.what()).endsWith("hbase-env.sh did not end within 2 s");
            });
    assertThat(new JvmSizes(env, MACHINE_BYTES).heap())
        .hasToString("unknown (hbase-env.sh was not run)");
    long sleeping = Long.parseLong(Files.readString(told).strip());
    await()
        .atMost(Patience.LIMIT)
        .until(() -> ProcessHandle.of(sleeping).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void rootRunsNoScriptThatAnotherUserCanWrite() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "this is root");
    Path marker = folder.resolve("marker");
    run("");
    Path file = Files.writeString(folder.resolve("hbase-env.sh"), "touch " + marker + "\n");

    for (int way = 0; way < 2; way++) {
      Files.setAttribute(file, "unix:uid", way == 0 ? 65_534 : 0);
      Files.setAttribute(file, "unix:mode", way == 0 ? 0644 : 0664);
      EnvScript env = EnvScript.run(folder, folder.resolve("home"), ShortCommand.LIMIT);

      assertThat(env.isKnown()).isFalse();
      assertThat(env.findings().get(0).what()).contains("can be written by others than root");
      assertThat(marker).doesNotExist();
    }
  }

  @Test
  void whatIsNotExportedIsAskedFor() throws Exception {
    EnvScript env = run("HBASE_OFFHEAPSIZE=9g\nOTHER=1\nexport HBASE_HEAPSIZE=4g\n");

    assertThat(env.findings())
        .extracting(Finding::what)
        .containsExactly("HBASE_OFFHEAPSIZE is set in hbase-env.sh without export");
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
        "export SERVER_GC_OPTS=-XX:MaxDirectMemorySize=5120m | 5",
        "export HBASE_OFFHEAPSIZE=\"5g 6g\" | 5",
        "export HBASE_OFFHEAPSIZE=$(echo 5)g | 5",
        "HBASE_OFFHEAPSIZE=9g; HBASE_OPTS=-XX:MaxDirectMemorySize=5g | 5",
        "HBASE_HEAPSIZE=6g | 6",
        "HBASE_OPTS=-Xmx6144m | 6",
        "export HBASE_REGIONSERVER_OPTS=\"-XX:MaxRAMPercentage=50\" | 32",
        "# nothing | 16"
      })
  void directMemoryIsWhatTheScriptAllowsOrAsLargeAsTheHeap(String script, long gigabytes)
      throws Exception {
    JvmSizes sizes = sizes(script);

    assertThat(sizes.direct().bytes()).isEqualTo(gigabytes * GB);
    assertThat(sizes.findings()).isEmpty();
  }

  @Test
  void ofSeveralOptionsTheLastOneCounts() throws Exception {
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
  @ValueSource(strings = {"8gb", "8t", "much", "-8g"})
  void aSizeThatNoJvmTakesIsAnError(String written) throws Exception {
    List<Finding> findings = sizes("export HBASE_OFFHEAPSIZE='" + written + "'").findings();

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).isError()).isTrue();
    assertThat(findings.get(0).what()).isEqualTo("HBASE_OFFHEAPSIZE=" + written + " is not a size");
  }

  @Test
  void aJvmDoesNotStartWithMoreHeapThanTheMost() throws Exception {
    assertThat(sizes("export HBASE_HEAPSIZE=4g\nexport HBASE_OPTS=-Xms5g").findings())
        .singleElement()
        .matches(Finding::isError);
    assertThat(sizes("export HBASE_HEAPSIZE=4g\nexport HBASE_OPTS=-Xms4g").findings()).isEmpty();
  }

  @Test
  void aJvmIsAskedWhetherItKnowsTheOptions() throws Exception {
    assertThat(refusals("-XX:+UseConcMarkSweepGC -XX:+UseG1GC"))
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.isError()).isTrue();
              assertThat(error.what()).endsWith(": Unrecognized VM option 'UseConcMarkSweepGC'");
            });
    assertThat(refusals("-XX:+UseParallelGC -XX:+UseG1GC")).hasSize(1);
    Path log = folder.resolve("gc.log");
    assertThat(
            refusals(
                "-XX:+UseG1GC -XX:MaxGCPauseMillis=50 -Xlog:gc:"
                    + log
                    + " -XX:+AlwaysPreTouch -Xms1000g -javaagent:none.jar -XX:Unknown=4k"))
        .as("what would write, take memory or start something is not tried")
        .isEmpty();
    assertThat(log).doesNotExist();
  }

  private List<Finding> refusals(String options) throws Exception {
    EnvScript env =
        run(
            "export JAVA_HOME="
                + System.getProperty("java.home")
                + "\nexport HBASE_OPTS='"
                + options
                + "'\n");
    return JavaHome.of(env).findings(env, new JvmSizes(env, MACHINE_BYTES));
  }

  @Test
  void systemPropertiesAreThoseOfTheOptions() throws Exception {
    assertThat(sizes("export HBASE_OPTS='-Da=1 -Db -Da=2'").systemProperties())
        .containsEntry("a", "2")
        .containsEntry("b", "");
  }
}
