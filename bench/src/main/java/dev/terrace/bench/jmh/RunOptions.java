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
package dev.terrace.bench.jmh;

import dev.terrace.bench.report.ResultOptions;
import dev.terrace.bench.workload.BenchmarkJvm;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that all JMH commands have. */
final class RunOptions {

  private static final DateTimeFormatter FILE_TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  @Option(
      names = "--quick",
      description = "A first impression: one fork with few iterations, unless told otherwise.")
  boolean quick;

  @Option(
      names = "--forks",
      paramLabel = "N",
      description = "JVMs for each case, in turns with the other cases (default: 3; quick: 1).")
  Integer forks;

  @Option(
      names = "--warmups",
      paramLabel = "N",
      description = "Iterations in each JVM that are not counted.")
  Integer warmups;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Iterations in each JVM that are counted.")
  Integer iterations;

  @Mixin ResultOptions output = new ResultOptions();

  @Option(
      names = "--file-dir",
      paramLabel = "DIR",
      description = "Where caches in files keep them (default: the temporary directory).")
  Path fileDirectory = Scratch.fileParent();

  @Option(
      names = "--pmem-dir",
      paramLabel = "DIR",
      description = "Where caches in mapped files keep them (default: /dev/shm, if there is one).")
  Path pmemDirectory = Scratch.pmemParent();

  /**
   * The settings that the options make.
   *
   * @param defaults what is not told, unless {@link #quick}
   * @throws IllegalArgumentException naming the option that is wrong
   */
  RunSettings settings(Defaults defaults, Duration time) {
    requireDirectory("--file-dir", fileDirectory);
    requireDirectory("--pmem-dir", pmemDirectory);
    return new RunSettings(
        forks != null ? forks : quick ? 1 : defaults.forks(),
        warmups != null ? warmups : quick ? defaults.quickWarmups() : defaults.warmups(),
        iterations != null
            ? iterations
            : quick ? defaults.quickIterations() : defaults.iterations(),
        time,
        BenchmarkJvm.arguments(fileDirectory, pmemDirectory));
  }

  /** What a command does when it is told nothing. */
  record Defaults(int forks, int warmups, int iterations, int quickWarmups, int quickIterations) {}

  /** The file that results go to, by default a new one; its directory exists. */
  Path jsonFile(String command) throws IOException {
    String time = FILE_TIME.format(LocalDateTime.now(ZoneId.systemDefault()));
    Path file = output.file(command + "-" + time + ".json");
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    return file;
  }

  private static void requireDirectory(String option, Path directory) {
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      throw new IllegalArgumentException(
          option + "=" + directory + ": must be a directory that can be written to");
    }
  }
}
