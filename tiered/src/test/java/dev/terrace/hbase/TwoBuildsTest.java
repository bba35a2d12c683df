// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.hbase.FrozenFormatTest.Form;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two builds take turns on one path, as an upgrade and a downgrade have them: this one, and a next
 * one that writes a later format. That is this one with the next number, compiled here from its own
 * sources; a real one would read the old format by code of its own.
 */
final class TwoBuildsTest {

  private static final Path SOURCES = Path.of("../cache-api/region-log/src/main/java");
  private static final String NUMBER = "FORMAT_VERSION";

  @TempDir static Path builds;
  @TempDir Path path;
  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @RegisterExtension final LogLines log = new LogLines("dev.terrace");

  /** The sources with the number in them, as it is compiled into each. */
  @BeforeAll
  static void compileTheNextBuild() throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("-nowarn", "-proc:none", "-d", builds.resolve("next").toString(), "-cp"));
    arguments.add(System.getProperty("java.class.path"));
    try (Stream<Path> sources = Files.walk(SOURCES)) {
      for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
        String text = Files.readString(source);
        if (text.contains(NUMBER)) {
          Path copy = builds.resolve(SOURCES.relativize(source));
          Files.createDirectories(copy.getParent());
          Files.writeString(copy, text.replace(NUMBER + " = 2;", NUMBER + " = 3;"));
          arguments.add(copy.toString());
        }
      }
    }
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Form.class,
      names = {"PMEM", "SSD"})
  void theNextBuildIsWarmAndThisOneKeepsWhatThatWrote(Form form) throws Exception {
    FrozenFormatTest.unpackRelease(form, path);

    runTheNextBuild(form);
    Map<String, Integer> written = contents();

    TieredBlockCache cache = form.open(caches, path);
    assertThat(cache.getBlockCount()).isZero();
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
    assertThat(log.lines().stream().filter(line -> line.contains("newer")))
        .singleElement()
        .asString()
        .contains("was written by a newer Terrace (format version 3, and this one reads 2)");
    assertThat(contents()).isEqualTo(written);

    runTheNextBuild(form);
  }

  private Map<String, Integer> contents() throws IOException {
    Map<String, Integer> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(path.resolve("terrace"))) {
      for (Path file : files.toList()) {
        contents.put(file.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  private void runTheNextBuild(Form form) throws Exception {
    Path output = builds.resolve("output");
    Process next =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                builds.resolve("next") + File.pathSeparator + System.getProperty("java.class.path"),
                TwoBuildsTest.class.getName(),
                form.name(),
                path.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(next.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(next.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      next.destroyForcibly();
    }
  }

  /** Reads all blocks of a path, which have to be there, and stops. */
  public static void main(String[] args) throws InterruptedException {
    Form form = Form.valueOf(args[0]);
    TieredBlockCache cache = OpenCaches.make(form.conf(Path.of(args[1])));
    await().until(() -> cache.getBlockCount() == FrozenFormatTest.BLOCKS);
    FrozenFormatTest.assertWarm(form, cache);
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
  }
}
