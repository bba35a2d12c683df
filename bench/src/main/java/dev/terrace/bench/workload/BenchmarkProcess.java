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
package dev.terrace.bench.workload;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A main class of the benchmarks in a JVM of its own, which ends with this process. */
public final class BenchmarkProcess {

  private final Class<?> main;
  private final List<String> jvmArguments;
  private final List<String> arguments;

  /**
   * A process that is not started yet.
   *
   * @param jvmArguments see {@link BenchmarkJvm#arguments}
   * @param arguments those of the main class
   */
  public BenchmarkProcess(Class<?> main, List<String> jvmArguments, List<String> arguments) {
    this.main = main;
    this.jvmArguments = List.copyOf(jvmArguments);
    this.arguments = List.copyOf(arguments);
  }

  /**
   * Runs it to its end.
   *
   * @return what it wrote to standard output
   * @throws IOException if it fails; what it said is on standard error
   */
  public String run() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Thread killer = new Thread(process::destroyForcibly, "benchmark-killer");
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int exitValue = process.waitFor();
      if (exitValue != 0) {
        throw new IOException(
            "the run of " + main.getSimpleName() + " failed with exit value " + exitValue);
      }
      return output;
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(killer);
    }
  }

  private List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmArguments);
    command.add("-cp");
    command.add(BenchmarkJvm.classPath());
    command.add(main.getName());
    command.addAll(arguments);
    return command;
  }
}
