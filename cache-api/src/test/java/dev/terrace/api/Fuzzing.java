// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs fuzz targets with Jazzer, which keeps the inputs that reach new code and varies them. A
 * target is a class with {@code public static void fuzzerTestOneInput(byte[])}, which throws on a
 * defect. Each has a JVM of its own; targets that are run together run at the same time.
 *
 * <p>Inputs to begin with are in {@code src/test/fuzz/TARGET} of the module; what is found goes to
 * {@code target/fuzz}. {@code -Dterrace.fuzz.seconds=3600} fuzzes for an hour.
 */
public final class Fuzzing {

  /** For each target. More inputs reach little new code, and each build pays for them. */
  private static final int SECONDS = Integer.getInteger("terrace.fuzz.seconds", 60);

  /**
   * A JVM's start and its end, on a machine that does other work. The first input takes as long as
   * it takes to instrument the classes.
   */
  private static final int PATIENCE_SECONDS = 600;

  private Fuzzing() {}

  /** Fuzzes; fails with an input and a stack trace if a target threw, hung or ran out of memory. */
  public static void run(Class<?>... targets) throws IOException, InterruptedException {
    List<Process> processes = new ArrayList<>();
    try {
      for (Class<?> target : targets) {
        processes.add(start(target));
      }
      for (int i = 0; i < targets.length; i++) {
        boolean ended =
            processes.get(i).waitFor((long) SECONDS + PATIENCE_SECONDS, TimeUnit.SECONDS);
        String output = Files.readString(output(targets[i]));
        assertThat(ended).as(output).isTrue();
        assertThat(processes.get(i).exitValue()).as(output).isZero();
        assertThat(output).contains("DONE");
        System.out.println(
            targets[i].getSimpleName() + ": " + output.lines().reduce("", Fuzzing::lastCount));
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private static String lastCount(String last, String line) {
    return line.contains(" cov: ") ? line : last;
  }

  private static Process start(Class<?> target) throws IOException {
    Path inputs = Files.createDirectories(folder().resolve(target.getSimpleName()));
    Path seeds = Path.of("src/test/fuzz", target.getSimpleName()).toAbsolutePath();
    try (Stream<Path> all = Files.list(seeds)) {
      assertThat(all).as(seeds.toString()).isNotEmpty();
    }
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp",
            System.getProperty("java.class.path"),
            "com.code_intelligence.jazzer.Jazzer",
            "--target_class=" + target.getName(),
            "--instrumentation_includes=dev.terrace.**",
            "--custom_hook_includes=dev.terrace.**",
            "--reproducer_path=" + folder(),
            "-artifact_prefix=" + inputs + "-",
            "-max_total_time=" + SECONDS,
            "-timeout=300",
            "-rss_limit_mb=2048",
            "-print_final_stats=1",
            inputs.toString(),
            seeds.toString())
        .redirectErrorStream(true)
        .redirectOutput(output(target).toFile())
        .start();
  }

  private static Path output(Class<?> target) {
    return folder().resolve(target.getSimpleName() + ".log");
  }

  private static Path folder() {
    return Path.of(System.getProperty("terrace.build.directory", "target"), "fuzz")
        .toAbsolutePath();
  }
}
