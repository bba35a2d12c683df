// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.api.Patience;
import dev.terrace.region.RegionTier;
import dev.terrace.region.format.Superblock.DeviceKind;
import dev.terrace.tools.doctor.ConfOnDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the tools' jar with {@code java -jar} alone: no HBase, no SLF4J, and a JRE that lacks most
 * of the JDK's own modules.
 */
class JarToolsIT {

  private static final Path JAR =
      Path.of(
          System.getProperty("terrace.build.directory"),
          "terrace-tools-" + System.getProperty("terrace.version") + ".jar");

  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

  @TempDir Path temporary;

  private CacheOnDisk cache;
  private String out;
  private String err;

  @BeforeEach
  void locate() {
    cache = new CacheOnDisk(temporary.resolve("cache"));
  }

  @AfterEach
  void neverPrintsAStackTrace() {
    assertThat(err).doesNotContain("SLF4J", "Exception", "Error", "WARN", "\tat ");
  }

  private int java(Object... arguments) throws Exception {
    return java(List.of(), arguments);
  }

  private int java(List<String> prefix, Object... arguments) throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--limit-modules",
            "java.se,jdk.management",
            "-jar",
            JAR.toString()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Path outFile = temporary.resolve("out");
    Path errFile = temporary.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.to(outFile.toFile()))
            .redirectError(Redirect.to(errFile.toFile()))
            .start();
    try {
      assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    out = Files.readString(outFile);
    err = Files.readString(errFile);
    return process.exitValue();
  }

  @ParameterizedTest
  @EnumSource(DeviceKind.class)
  void readsAStoppedCache(DeviceKind kind) throws Exception {
    cache.make(kind);

    assertThat(java("inspect", cache.path())).isZero();
    assertThat(err).isEmpty();
    assertThat(out).contains(kind + ", format version", "60 (234.4 KB) in 3 files");

    assertThat(java("inspect", "--verify", cache.path())).isZero();
    assertThat(err).isEmpty();
    assertThat(out).contains("60 blocks (234.4 KB) in", "all right");
  }

  @Test
  void namesDamage() throws Exception {
    cache.make(DeviceKind.SSD);
    for (int region = 0; region < 32; region++) {
      cache.flip(region, 228);
    }
    assertThat(java("inspect", "--verify", "--max-damaged", "1", cache.path())).isEqualTo(1);
    assertThat(err).isEmpty();
    assertThat(out)
        .containsPattern(
            "DAMAGED  region=\\d+ position=64 file=file\\d offset=\\d+: corrupt payload")
        .contains("more (--max-damaged)", "places damaged: ");

    try (RandomAccessFile superblock =
        new RandomAccessFile(cache.file("superblock").toFile(), "rw")) {
      superblock.setLength(127);
    }
    assertThat(java("inspect", cache.path())).isEqualTo(1);
    assertThat(out).isEmpty();
    assertThat(err.lines())
        .singleElement()
        .asString()
        .contains("path=" + cache.path(), "127 bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--files=1", "--verify"})
  void refusesACacheInUse(String option) throws Exception {
    RegionTier<byte[]> tier = cache.open(DeviceKind.SSD);
    try {
      assertThat(java("inspect", option, cache.path())).isEqualTo(2);
      assertThat(out).isEmpty();
      assertThat(err.lines())
          .singleElement()
          .asString()
          .startsWith("terrace inspect: path=" + cache.path() + " is in use by another process");
    } finally {
      CacheOnDisk.stop(tier);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--files=1", "--verify"})
  void refusesWhatTheUserMayNotRead(String option) throws Exception {
    cache.make(DeviceKind.SSD);
    List<String> prefix = List.of();
    if ((int) Files.getAttribute(temporary, "unix:uid") == 0) {
      prefix = AS_NOBODY;
      assumeTrue(canRun(prefix), "root can read everything, and nobody cannot run java here");
    } else {
      Files.setPosixFilePermissions(cache.path(), Set.of());
    }
    try {
      assertThat(java(prefix, "inspect", option, cache.path())).isEqualTo(2);
      assertThat(out).isEmpty();
      assertThat(err.lines())
          .singleElement()
          .asString()
          .contains(
              "path=" + cache.path() + " cannot be read: permission denied: run this as the user");
    } finally {
      Files.setPosixFilePermissions(
          cache.path(),
          Set.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));
    }
  }

  private boolean canRun(List<String> prefix) throws Exception {
    try {
      return java(prefix, "--version") == 0;
    } catch (IOException e) {
      err = "";
      assumeTrue(false, "no setpriv: " + e);
      return false;
    }
  }

  @Test
  void checksAConfigurationInHBase() throws Exception {
    ConfOnDisk files = new ConfOnDisk(temporary.resolve("hbase"));
    files.makeGood();
    files.launcher();
    files.set("hbase.terrace.ssd.paths", cache.path());
    files.set("hbase.terrace.ssd.size", "16m");
    RegionTier<byte[]> tier = cache.open(DeviceKind.SSD);
    try {
      assertThat(java("doctor", "--conf", files.conf())).as(out + err).isIn(5, 6);
      assertThat(out)
          .contains("direct memory  9 GB")
          .containsPattern(
              cache.path() + " .*, in use by .*, pid=" + ProcessHandle.current().pid() + ",");
    } finally {
      CacheOnDisk.stop(tier);
    }
  }

  @Test
  void plansFromARecordedTrace() throws Exception {
    Path trace = RecordedOnDisk.make(temporary);

    assertThat(java("plan", trace, "--dram", "10m", "--pmem", "20m", "--ssd", "40m")).isZero();
    assertThat(err).isEmpty();
    assertThat(out).contains("| dram |   1/2 |      5 MB |", "| ssd  |     4 |    160 MB |");
  }

  @Test
  void reachesNoProcessWithoutTheModuleForIt() throws Exception {
    assertThat(java("trace", "--pid", ProcessHandle.current().pid())).isEqualTo(2);
    assertThat(out).isEmpty();
    assertThat(err.lines())
        .singleElement()
        .asString()
        .isEqualTo("terrace trace: this Java lacks module jdk.attach: use a JDK");
  }

  @Test
  void refusesWrongOptionsInOneLine() throws Exception {
    for (List<String> arguments :
        List.of(
            List.of("inspect"),
            List.of("inspect", "--verify", "--max-damaged", "-1", "/"),
            List.of("inspect", "--files", "x", "/"),
            List.of("inspect", "--nothing", "/"),
            List.of("doctor"),
            List.of("plan"),
            List.of("trace", "--stop"),
            List.of("repair", "/"))) {
      assertThat(java(arguments.toArray())).as("%s", arguments).isEqualTo(2);
      assertThat(out).isEmpty();
      assertThat(err.lines()).singleElement().asString().startsWith("terrace").contains("--help)");
    }
    assertThat(java("inspect", temporary)).isEqualTo(2);
    assertThat(err.lines()).singleElement().asString().contains("has no cache");
  }

  @Test
  void explainsItself() throws Exception {
    assertThat(java()).isZero();
    assertThat(out).contains("java -jar terrace-tools-", "inspect", "doctor", "Exit value");
    assertThat(java("--help")).isZero();
    assertThat(java("inspect", "--help")).isZero();
    assertThat(out).contains("inspect [-hV]", "--verify", "Exit value", "--max-damaged=N");
    assertThat(java("--version")).isZero();
    assertThat(out)
        .matches(
            "Terrace "
                + Pattern.quote(System.getProperty("terrace.version"))
                + " build [0-9a-f]{12}\n");
    assertThat(err).isEmpty();
  }
}
