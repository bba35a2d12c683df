// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.tools.doctor.ConfOnDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How {@code doctor} runs in HBase, by its launcher. */
class DoctorCommandTest {

  private static final String SIZES =
      """
      export HBASE_HEAPSIZE=4g
      export HBASE_OFFHEAPSIZE=9g
      export HBASE_OPTS='-XX:+UseSerialGC -XX:TieredStopAtLevel=1'
      """;

  @TempDir Path temporary;

  private final CommandRun command = new CommandRun();
  private ConfOnDisk files;

  @BeforeEach
  void make() throws Exception {
    files = new ConfOnDisk(temporary.resolve("hbase"));
    files.makeGood();
    files.launcher();
  }

  private int doctor(String... script) throws Exception {
    files.env(SIZES + String.join("\n", script) + "\n");
    return command.run("doctor", "--conf=" + files.conf());
  }

  @Test
  void theServersConfigurationClassesAndMemoryCount() throws Exception {
    assertThat(doctor()).as(command.out() + command.err()).isZero();
    assertThat(command.out().lines())
        .contains(
            "configuration  " + files.conf().resolve("hbase-site.xml"),
            "HBase          2.6.4, in " + temporary.resolve("hbase"),
            "heap           4 GB; bookkeeping of full tiers takes about 55 MB",
            "direct memory  9 GB; the tiers take 8 GB")
        .last()
        .isEqualTo("no errors, no warnings: the region server would start");
  }

  @Test
  void theServersOwnOptionsAreTheLast() throws Exception {
    files.set("hbase.terrace.dram.size", "${my.size}");
    assertThat(
            doctor(
                "export SERVER_GC_OPTS='-Xmx5g -Dmy.size=7g'",
                "export CLIENT_GC_OPTS=-Xlog:disable",
                "export HBASE_REGIONSERVER_OPTS=' -XX:MaxDirectMemorySize=8300m "
                    + "-Dcom.sun.management.jmxremote.port=1 '"))
        .as(command.out() + command.err())
        .isZero();
    assertThat(command.out())
        .contains("\nheap           5 GB;", "\ndirect memory  8.1 GB; the tiers take 7 GB");
  }

  /** Those that bound the memory beside the heap count, and the collector's share of the heap. */
  @Test
  void theServersOptionsBoundTheJvmsOwnMemory() throws Exception {
    assertThat(
            doctor(
                "export HBASE_REGIONSERVER_OPTS="
                    + "'-XX:MaxMetaspaceSize=64m -XX:ReservedCodeCacheSize=40m'"))
        .as(command.out() + command.err())
        .isZero();
    assertThat(command.out()).contains("\nmemory         heap 4,096 MB + JVM 200 MB + dram ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseConcMarkSweepGC", "-Xms5g", "-Xmx5gb"})
  void optionsThatTheJvmRefusesAreAnError(String option) throws Exception {
    assertThat(doctor("export HBASE_REGIONSERVER_OPTS=" + option)).isEqualTo(2);
    assertThat(command.out())
        .containsPattern("ERROR +the JVM does not start with the server's options: \\S+");
    assertThat(command.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "export HBASE_OPTS=-XX:+UseConcMarkSweepGC, Unrecognized VM option",
    "JAVA_HOME=/no/such/java, /no/such/java/bin/java: No such file",
    "echo the end >&2; exit 0, the end"
  })
  void aLauncherThatFailsIsNoSuccess(String line, String reason) throws Exception {
    assertThat(doctor(line)).isEqualTo(2);
    assertThat(command.out()).isEmpty();
    assertThat(command.err())
        .contains("bin/hbase ended before the checks, so it would not start")
        .contains(reason);
  }

  @Test
  void terraceMayBeElsewhereOnTheClassPath() throws Exception {
    Path jar = temporary.resolve("hbase/lib/terrace-hbase-0.1.0.jar");
    Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    Files.move(jar, elsewhere.resolve(jar.getFileName()));

    assertThat(doctor()).isEqualTo(2);
    assertThat(command.out()).contains("copy terrace-hbase-VERSION.jar");

    assertThat(doctor("export HBASE_CLASSPATH=/nowhere:" + elsewhere + "/*"))
        .as(command.out() + command.err())
        .isZero();
  }

  @Test
  void whatIsNotThereIsOneLine() throws Exception {
    Path none = temporary.resolve("none");
    assertThat(command.run("doctor", "--conf=" + none)).isEqualTo(2);
    assertThat(command.err()).isEqualTo("terrace doctor: " + none + " does not exist\n");

    assertThat(command.run("doctor", "--conf=" + temporary)).isEqualTo(2);
    assertThat(command.err())
        .isEqualTo("terrace doctor: " + temporary + " has no hbase-site.xml\n");

    assertThat(command.run("doctor", "--conf=" + files.conf(), "--hbase=" + none)).isEqualTo(2);
    assertThat(command.err())
        .isEqualTo(
            "terrace doctor: there is no "
                + none.resolve("bin/hbase")
                + ": name HBase's folder with --hbase\n");
  }
}
