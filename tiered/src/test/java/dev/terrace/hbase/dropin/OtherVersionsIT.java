// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The drop-in jar runs with HBase versions other than the one that it is compiled against: their
 * HFile writer and reader and their metrics, on the class path before what the compiled version
 * needs.
 */
@Tag("hadoop")
@Tag("long")
class OtherVersionsIT {

  private static final Pattern REPLACED =
      Pattern.compile(
          "(terrace-.*|hbase-(server|common|client|protocol-shaded|metrics|metrics-api"
              + "|hadoop-compat|hadoop2-compat)-[0-9].*)\\.jar");

  @TempDir Path directory;

  static Stream<String> versions() {
    return Stream.of("2.5.13-hadoop3", "3.0.0-alpha-4");
  }

  @ParameterizedTest
  @MethodSource("versions")
  void whatIsCachedAsItIsWrittenSurvivesThePrefetch(String version) throws Exception {
    List<String> lines = run(WrittenThenPrefetched.class, version);

    assertThat(lines)
        .as("plain, compressed, compressed in the cache, too")
        .hasSize(3)
        .allMatch(line -> line.matches("written=(\\d{2,}) kept=\\1 puts=\\1 failed=0"));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void noReadFailsAfterARestartThatChangesTheFormOfBlocks(String version) throws Exception {
    String all = " rows=" + HFileRows.ROWS;

    List<String> lines = run(CompressedInCache.class, version);

    assertThat(lines)
        .containsExactly(
            "packed: failures=0" + all, "unpacked: failures=0" + all, "packed: failures=0" + all);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void hbasesMetricsHaveTerracesFiguresUntilTheCacheEnds(String version) throws Exception {
    assertThat(run(ReportedMetrics.class, version))
        .containsExactly(
            "Dram_capacity_bytes=16777216",
            "Dram_hits_total=1",
            "Dram_misses_total=1",
            "Dram_refusals_bad_size_total=0",
            "none after the end");
  }

  @Test
  void aCacheRunsWithoutHBasesRegistriesOfMetrics() throws Exception {
    String metrics =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(path -> path.matches(".*/hbase-metrics-[0-9][^/]*\\.jar"))
            .findFirst()
            .orElseThrow();
    Path hollow = withoutRegistries(Path.of(metrics));
    String classPath = System.getProperty("java.class.path").replace(metrics, hollow.toString());

    assertThat(runOn(classPath, CachedAndRead.class)).containsExactly("hits=1");
  }

  private Path withoutRegistries(Path jar) throws IOException {
    Path hollow = Files.copy(jar, directory.resolve("hollow.jar"));
    try (FileSystem entries = FileSystems.newFileSystem(hollow)) {
      Files.delete(
          entries.getPath("/org/apache/hadoop/hbase/metrics/impl/MetricRegistriesImpl.class"));
    }
    return hollow;
  }

  private List<String> run(Class<?> program, String version)
      throws IOException, InterruptedException {
    return runOn(classPath(version), program);
  }

  private List<String> runOn(String classPath, Class<?> program)
      throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                program.getName(),
                directory.resolve("files").toString())
            .redirectOutput(output.toFile())
            .redirectError(directory.resolve("errors").toFile())
            .start();
    try {
      assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).as("it ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue())
        .as("%s", Files.readString(directory.resolve("errors")))
        .isZero();
    return Files.readAllLines(output);
  }

  private static String classPath(String version) throws IOException {
    List<Path> classPath = new ArrayList<>(List.of(DropInJar.path()));
    Path jars = DropInJar.buildDirectory().resolve("other-versions").resolve(version);
    try (Stream<Path> ofVersion = Files.list(jars)) {
      ofVersion.forEach(classPath::add);
    }
    classPath.add(DropInJar.buildDirectory().resolve("test-classes"));
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar"))
        .filter(path -> !REPLACED.matcher(path.getFileName().toString()).matches())
        .forEach(classPath::add);
    return classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
