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
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.terrace.hbase.Terrace;
import dev.terrace.hbase.checks.ServerProcess;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.region.format.DeviceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code doctor} finds in a region server's files. */
class DoctorCommandTest {

  private static final Pattern ERROR =
      Pattern.compile("^ERROR +(.*)\\n  why +.*\\n  do +(.*)$", Pattern.MULTILINE);

  @TempDir Path temporary;

  private final CommandRun command = new CommandRun();
  private ConfOnDisk files;

  @BeforeEach
  void make() throws Exception {
    files = new ConfOnDisk(temporary.resolve("hbase"));
    files.makeGood();
  }

  private int doctor(Object... options) {
    return command.run("doctor", "--conf=" + files.conf(), options);
  }

  /** The errors, each as a log would have it. */
  private List<String> errors() {
    return ERROR
        .matcher(command.out())
        .results()
        .map(match -> match.group(1) + ": " + match.group(2))
        .toList();
  }

  private void assertFindings(int exitValue, String... findings) {
    assertThat(doctor()).as(command.out()).isEqualTo(exitValue);
    assertThat(command.err()).isEmpty();
    assertThat(command.out().lines().filter(line -> line.matches("(ERROR|WARNING) .*")))
        .containsExactly(findings);
  }

  @Test
  void aGoodConfigurationHasFactsAndNoFindings() {
    assertFindings(0);
    assertThat(command.out().lines())
        .contains(
            "configuration  " + files.conf().resolve("hbase-site.xml"),
            "entry point    hbase.regionserver.impl",
            "HBase          2.6.4, in " + temporary.resolve("hbase"),
            "Java           17.0.12, in " + temporary.resolve("hbase/java-17.0.12"),
            "heap           4 GB (HBASE_HEAPSIZE in hbase-env.sh); bookkeeping of full tiers takes"
                + " about 86.3 MB",
            "direct memory  9 GB (HBASE_OFFHEAPSIZE in hbase-env.sh); the tiers take 8 GB",
            "dram           8 GB")
        .last()
        .isEqualTo("no errors, no warnings: the region server would start");
  }

  private Path writableByAll() throws IOException {
    Path path = Files.createDirectory(temporary.resolve("open"));
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @Test
  void plantedMistakesAreFoundAllAtOnce() throws Exception {
    Path open = writableByAll();
    files.set("hbase.terrace.dram.size", "12g");
    files.set("hbase.terrace.dram.protected.share", "half");
    files.set("hbase.terrace.start.strict", "true");
    files.set("hbase.terrace.ssd.paths", open);
    files.set("hbase.terrace.ssd.size", "32m");
    files.set("hbase.terrace.pmem.paths", temporary.resolve("unmounted"));
    files.set("hbase.terrace.pmem.size", "32m");
    files.set("hbase.terrace.ssd.sizes", "1g");
    files.set("hbase.rs.evictblocksonclose", "true");

    assertThat(doctor()).isEqualTo(2);

    assertThat(errors())
        .hasSize(4)
        .anyMatch(error -> error.startsWith("hbase.terrace.dram.size=12g is more than the 9 GB"))
        .anyMatch(error -> error.startsWith("hbase.terrace.dram.protected.share=half is not a"))
        .anyMatch(error -> error.contains(open + " is writable by others"))
        .anyMatch(error -> error.contains("unmounted, which does not exist: mount its disk"));
    assertThat(command.out())
        .contains(
            "WARNING  hbase.terrace.ssd.sizes=1g is no setting of Terrace",
            "WARNING  hbase.rs.evictblocksonclose=true",
            "4 errors, ");
    assertThat(command.out()).endsWith(": the region server would not start\n");
  }

  @Test
  void anHBaseThatTakesCachesApartIsAnError() throws Exception {
    Files.delete(temporary.resolve("hbase/lib/hbase-server-2.6.4.jar"));
    Files.delete(temporary.resolve("hbase/lib/hbase-server-2.6.4-tests.jar"));
    files.jar("hbase-server-4.0.0-alpha-1.jar", ServerProcess.TAKES_CACHES_APART);

    assertThat(doctor()).isEqualTo(2);

    assertThat(errors())
        .containsExactly(
            "HBase 4.0.0-alpha-1 takes block caches apart (it has"
                + " org.apache.hadoop.hbase.io.hfile.cache.CacheAccessService): run one of HBase"
                + " 2.5, 2.6, 3.0");
    assertThat(command.out()).doesNotContain("is not tested");
  }

  /** What the server throws has the errors of doctor, word for word. */
  @Test
  void theServerItselfStopsWithTheSameMessages() throws Exception {
    Path absent = temporary.resolve("absent");
    files.set("hbase.terrace.dram.size", "much");
    files.set("hbase.terrace.scrub.days", "-1");
    files.set("hbase.terrace.start.strict", "true");
    files.set("hbase.terrace.pmem.paths", absent);
    files.set("hbase.terrace.pmem.size", "32m");
    files.set("hbase.terrace.ssd.paths", writableByAll());
    files.set("hbase.terrace.ssd.size", "32m");
    files.env("export HBASE_OFFHEAPSIZE=20g\n");
    Configuration conf = new Configuration(false);
    conf.addResource(files.conf().resolve("hbase-site.xml").toUri().toURL());

    SettingsException thrown =
        catchThrowableOfType(SettingsException.class, () -> Terrace.prepare(conf));

    assertThat(doctor()).isEqualTo(2);
    assertThat(errors()).hasSize(4);
    assertThat(thrown).hasMessage("4 settings are wrong:\n - " + String.join("\n - ", errors()));
  }

  @Test
  void memoryIsThatOfTheScriptAndNotOfThisProcess() throws Exception {
    files.env("export HBASE_OPTS=\"-Xmx4g -XX:MaxDirectMemorySize=8300m\"\n");
    assertThat(doctor()).isEqualTo(1);
    assertThat(command.out()).contains("and leave 108 MB to HBase");

    files.env("HBASE_OFFHEAPSIZE=8gb\n");
    assertThat(doctor()).isEqualTo(2);
    assertThat(command.out()).contains("ERROR    HBASE_OFFHEAPSIZE=8gb is not a size");
  }

  @Test
  void versionsAreThoseOfTheServer() throws Exception {
    files.jar("terrace-hbase-0.0.9.jar");
    assertFindings(
        1,
        "WARNING  "
            + temporary.resolve("hbase/lib")
            + " has Terrace in the versions 0.0.9 and 0.1.0");

    files.env("export JAVA_HOME=" + files.java("1.8.0_392") + "\nHBASE_OFFHEAPSIZE=10g\n");
    assertThat(doctor()).isEqualTo(2);
    assertThat(command.out()).contains("ERROR    Java 8 is too old");
  }

  @Test
  void hadoop2DoesNotStartOnNewJava() throws Exception {
    ConfOnDisk old = new ConfOnDisk(temporary.resolve("old"));
    old.jar("hbase-server-2.4.1.jar");
    old.jar("hadoop-common-2.10.2.jar");
    files.env("export JAVA_HOME=" + files.java("25") + "\nHBASE_OFFHEAPSIZE=10g\n");

    assertThat(doctor("--hbase", temporary.resolve("old"))).isEqualTo(2);
    assertThat(command.out())
        .contains(
            "ERROR    Java 25 with Hadoop 2.10.2",
            "WARNING  HBase 2.4.1 is not tested",
            "has no terrace-hbase-VERSION.jar");
  }

  @Test
  void withoutAnEntryPointTerraceIsNotUsed() throws Exception {
    files.set("hbase.regionserver.impl", "org.example.MyRegionServer");

    assertFindings(1, "WARNING  no property makes Terrace the block cache");
  }

  @Test
  void aPathSaysWhatItIsOn() throws Exception {
    CacheOnDisk cache = new CacheOnDisk(temporary.resolve("ssd"));
    cache.make(DeviceKind.SSD);
    files.set("hbase.terrace.ssd.paths", cache.path());
    files.set("hbase.terrace.ssd.size", "16m");

    assertThat(doctor()).isLessThanOrEqualTo(1);

    assertThat(command.out()).containsPattern("(?m)^  " + cache.path() + " *\\S+ on .* free$");
    assertThat(command.run("verify", cache.path())).as("nothing was changed").isZero();
  }

  @Test
  void whatCannotBeReadIsOneLine() throws Exception {
    Path none = temporary.resolve("none");
    assertThat(command.run("doctor", "--conf=" + none)).isEqualTo(2);
    assertThat(command.out()).isEmpty();
    assertThat(command.err()).isEqualTo("terrace doctor: " + none + " does not exist\n");

    assertThat(command.run("doctor", "--conf=" + temporary)).isEqualTo(2);
    assertThat(command.err())
        .isEqualTo("terrace doctor: " + temporary + " has no hbase-site.xml\n");

    assertThat(doctor("--hbase", none)).isEqualTo(2);
    assertThat(command.err()).contains(none + " has no lib/hbase-server-VERSION.jar");

    Files.writeString(files.conf().resolve("hbase-site.xml"), "<configuration>");
    assertThat(doctor()).isEqualTo(2);
    assertThat(command.err()).contains("hbase-site.xml is not XML").hasLineCount(1);
  }

  @Test
  void whatIsIncludedIsNamed() throws Exception {
    Files.writeString(
        files.conf().resolve("core-site.xml"),
        "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
            + "<xi:include href=\"more.xml\"/></configuration>");

    assertFindings(1, "WARNING  the configuration includes more.xml");
  }
}
