// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import dev.terrace.bench.server.HBaseInstall;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joptsimple.OptionParser;
import org.HdrHistogram.Histogram;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.openjdk.jmh.runner.Runner;

/**
 * Runs a task in a JVM of its own, started like a region server's, so that measured memory,
 * restarts and pauses are the task's alone. Task and result are passed as JSON.
 */
public final class OwnJvm {

  private static final Gson GSON = new Gson();

  /** A task: a record of strings, numbers, enums and nested records, as is its result. */
  public interface Task<R> {

    /** Runs it. Its standard error is shown; it must not print to standard output. */
    R run() throws Exception;
  }

  private OwnJvm() {}

  /**
   * Runs a task to its end. Its process ends with this one.
   *
   * @param moreJvmArguments on top of {@link #arguments}
   * @throws IOException if it fails; its messages are on standard error
   */
  public static <R> R run(Task<R> task, Class<R> result, String... moreJvmArguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments());
    command.addAll(List.of(moreJvmArguments));
    command.addAll(List.of("-cp", classPath(), OwnJvm.class.getName()));
    command.addAll(List.of(task.getClass().getName(), GSON.toJson(task)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Thread killer = new Thread(process::destroyForcibly, "benchmark-killer");
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int exitValue = process.waitFor();
      if (exitValue != 0) {
        String name = task.getClass().getSimpleName();
        throw new IOException("the run of " + name + " failed with exit value " + exitValue);
      }
      return GSON.fromJson(output, result);
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(killer);
    }
  }

  /** Returns the arguments of a benchmark's JVM, except its class path; see {@link Scratch}. */
  public static List<String> arguments() {
    return List.of(
        // Room for caches that keep blocks on the heap, or in direct memory.
        "-Xmx2g",
        "-XX:MaxDirectMemorySize=3g",
        // HBase's usual collector, even where the JVM would choose another one.
        "-XX:+UseG1GC",
        // HBase and Netty reach into these packages by reflection.
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--enable-native-access=ALL-UNNAMED",
        // It tracks about one block in a hundred and makes each of that block's hits expensive.
        // Chance chooses the blocks, and would thus decide the figures. Off for all caches alike.
        "-Dorg.apache.hbase.thirdparty.io.netty.leakDetection.level=disabled",
        // Only errors are logged, through reload4j or Log4j 2.
        "-Dlog4j.configuration=dev/terrace/bench/workload/log4j.properties",
        "-Dlog4j2.configurationFile=dev/terrace/bench/workload/log4j2.properties",
        "-D" + Scratch.FILE_PARENT_PROPERTY + "=" + Scratch.fileParent().toAbsolutePath(),
        "-D" + Scratch.PMEM_PARENT_PROPERTY + "=" + Scratch.pmemParent().toAbsolutePath());
  }

  /** Returns the class path: the benchmarks and JMH, the drop-in jar, and HBase's own jars. */
  public static String classPath() throws IOException {
    HBaseInstall install = HBaseInstall.in(HBaseInstall.home());
    Stream<Path> own =
        Stream.of(OwnJvm.class, Runner.class, OptionParser.class, Histogram.class)
            .map(OwnJvm::originOf);
    return Stream.of(own, Stream.of(install.dropInJar()), install.jars().stream())
        .flatMap(entries -> entries)
        .map(entry -> entry.toAbsolutePath().toString())
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path originOf(Class<?> loaded) {
    try {
      return Path.of(loaded.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(loaded + " comes from no file", e);
    }
  }

  /** The task's process. Arguments: the task's class, and the task as JSON. */
  public static void main(String[] arguments) throws Exception {
    // BucketCache leaves threads behind that would keep the process alive.
    Thread.currentThread()
        .setUncaughtExceptionHandler(
            (main, cause) -> {
              cause.printStackTrace();
              System.exit(1);
            });
    Task<?> task = (Task<?>) GSON.fromJson(arguments[1], Class.forName(arguments[0]));
    System.out.println(GSON.toJson(task.run()));
    System.exit(0);
  }
}
