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
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/**
 * Runs a task in a JVM of its own, as a region server's is started, so that memory, restarts and
 * pauses that are measured are those of the task alone. Task and result pass as JSON.
 */
public final class OwnJvm {

  private static final Gson GSON = new Gson();

  /**
   * What is run: a record of strings, numbers, enums and nested records.
   *
   * @param <R> its result, of the same kind
   */
  public interface Task<R> {

    /**
     * Runs it; what it prints to standard error is seen, and to standard output it prints nothing.
     */
    R run() throws Exception;
  }

  private OwnJvm() {}

  /**
   * Runs a task to its end. The process ends with this one.
   *
   * @param moreJvmArguments on top of {@link BenchmarkJvm#arguments}
   * @throws IOException if it fails; what it said is on standard error
   */
  public static <R> R run(Task<R> task, Class<R> result, String... moreJvmArguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(BenchmarkJvm.arguments(Scratch.fileParent(), Scratch.pmemParent()));
    command.addAll(List.of(moreJvmArguments));
    command.addAll(List.of("-cp", BenchmarkJvm.classPath(), OwnJvm.class.getName()));
    command.addAll(List.of(task.getClass().getName(), GSON.toJson(task)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Thread killer = new Thread(process::destroyForcibly, "benchmark-killer");
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int exitValue = process.waitFor();
      if (exitValue != 0) {
        throw new IOException(
            "the run of "
                + task.getClass().getSimpleName()
                + " failed with exit value "
                + exitValue);
      }
      return GSON.fromJson(output, result);
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(killer);
    }
  }

  /** The other side. Arguments: the task's class, and the task as JSON. */
  public static void main(String[] arguments) throws Exception {
    Task<?> task = (Task<?>) GSON.fromJson(arguments[1], Class.forName(arguments[0]));
    System.out.println(GSON.toJson(task.run()));
    // BucketCache leaves threads behind that would keep the process alive.
    System.exit(0);
  }
}
