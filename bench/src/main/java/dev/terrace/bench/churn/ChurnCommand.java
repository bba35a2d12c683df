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

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.Converters;
import dev.terrace.bench.hbase.HBaseInstall;
import dev.terrace.bench.report.CommandText;
import dev.terrace.bench.report.JsonReport;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.BenchmarkJvm;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code terrace bench churn}: runs {@link Churn} for some caches, each in a JVM of its own. */
@Command(
    name = "churn",
    mixinStandardHelpOptions = true,
    description =
        "Blocks of 4 KB to 1 MB come and go: the payload a cache holds, and the memory it takes.")
public final class ChurnCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long each cache runs (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      converter = Converters.Size.class,
      defaultValue = "1g",
      description = "The bytes each cache is configured with (default: ${DEFAULT-VALUE}).")
  private ByteSize size;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads that get and put (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Where the results go (default: bench/target/reports/churn.json).")
  private Path json;

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises of memory.")
  private boolean check;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Machine machine = new Machine();
    out.printf("%s%n", machine.oneLine());
    machine.busyWarning().ifPresent(warning -> out.printf("%s%n", warning));
    List<ChurnResult> results = new ArrayList<>();
    for (CacheKind cache : List.of(CacheKind.TERRACE, CacheKind.BUCKET_OFFHEAP)) {
      ChurnSettings settings = settings(cache);
      out.printf(
          "%s: %s, %d threads; first %d times that is put, and then %d s count%n",
          cache.title(), size, threads, ChurnSettings.WARMUP_PER_CAPACITY, seconds);
      out.flush();
      try {
        results.add(new ChurnProcess(settings, jvmArguments(settings)).run());
      } catch (IOException e) {
        spec.commandLine().getErr().println(cache.title() + ": " + e.getMessage());
        return 1;
      }
    }
    ChurnReport report = new ChurnReport(results);
    out.printf("%n%s%n", report.table());
    boolean met = Target.print(report.targets(), out);
    write(report, machine);
    return check && !met ? 1 : 0;
  }

  private ChurnSettings settings(CacheKind cache) {
    try {
      return new ChurnSettings(cache, size.bytes(), Duration.ofSeconds(seconds), threads);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static List<String> jvmArguments(ChurnSettings settings) {
    List<String> arguments =
        new ArrayList<>(BenchmarkJvm.arguments(Scratch.fileParent(), Scratch.pmemParent()));
    // Well above the capacity: a cache that takes too much is to be seen, not stopped.
    arguments.add("-XX:MaxDirectMemorySize=" + 2 * settings.capacityBytes());
    return List.copyOf(arguments);
  }

  private void write(ChurnReport report, Machine machine) throws IOException {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("command", CommandText.of(spec.commandLine()));
    settings.put("seconds", seconds);
    settings.put("sizeBytes", size.bytes());
    settings.put("threads", threads);
    JsonReport jsonReport = new JsonReport("churn", Instant.now(), machine, settings);
    jsonReport.add("summary", report.results());
    jsonReport.add("targets", report.targets());
    Path file =
        json != null ? json : HBaseInstall.home().resolve("bench/target/reports/churn.json");
    jsonReport.write(file);
    spec.commandLine().getOut().printf("Written: %s%n", file);
    spec.commandLine().getOut().flush();
  }
}
