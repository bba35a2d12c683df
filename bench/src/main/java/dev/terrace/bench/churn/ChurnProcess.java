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
package dev.terrace.bench.churn;

import dev.terrace.bench.workload.BenchmarkJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/** {@link ChurnMain} in a process of its own. */
final class ChurnProcess {

  private final ChurnSettings settings;
  private final List<String> jvmArguments;

  ChurnProcess(ChurnSettings settings, List<String> jvmArguments) {
    this.settings = settings;
    this.jvmArguments = jvmArguments;
  }

  /**
   * Runs it to its end.
   *
   * @throws IOException if it fails; what it said is on standard error
   */
  ChurnResult run() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Thread killer = new Thread(process::destroyForcibly, "churn-killer");
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int exitValue = process.waitFor();
      if (exitValue != 0) {
        throw new IOException(
            "The run of " + settings.cache().title() + " failed with exit value " + exitValue);
      }
      return new Gson().fromJson(output, ChurnResult.class);
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
    command.add(ChurnMain.class.getName());
    command.add(settings.cache().label());
    command.add(Long.toString(settings.capacityBytes()));
    command.add(Long.toString(settings.time().toSeconds()));
    command.add(Integer.toString(settings.threads()));
    return command;
  }
}
