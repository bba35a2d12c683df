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
package dev.terrace.bench.memory;

import dev.terrace.bench.hbase.HBaseInstall;
import dev.terrace.bench.report.CommandText;
import dev.terrace.bench.report.JsonReport;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.BenchmarkJvm;
import dev.terrace.bench.workload.BenchmarkProcess;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code terrace bench memory}: fills each store and opens it again, each time in a new JVM. */
@Command(
    name = "memory",
    mixinStandardHelpOptions = true,
    description =
        "Many small blocks: the heap and the index that a block takes, and how long a restart takes.")
public final class MemoryCommand implements Callable<Integer> {

  private static final int LEAST_PAYLOAD_BYTES = 64;
  private static final int MOST_PAYLOAD_BYTES = 16 << 10;

  @Spec private CommandSpec spec;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "How many blocks, 1,000 a file (default: ${DEFAULT-VALUE}).")
  private int blocks;

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      defaultValue = "512",
      description = "The bytes of a block (default: ${DEFAULT-VALUE}).")
  private int payloadBytes;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Where the results go (default: bench/target/reports/memory.json).")
  private Path json;

  @Option(
      names = "--only-terrace",
      description = "Leaves BucketCache out, of which nothing is promised.")
  private boolean onlyTerrace;

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises.")
  private boolean check;

  @Override
  public Integer call() throws IOException, InterruptedException {
    requireRange("--blocks", blocks, 1, 10_000_000);
    requireRange("--payload", payloadBytes, LEAST_PAYLOAD_BYTES, MOST_PAYLOAD_BYTES);
    PrintWriter out = spec.commandLine().getOut();
    Machine machine = new Machine();
    out.printf("%s%n", machine.oneLine());
    machine.busyWarning().ifPresent(warning -> out.printf("%s%n", warning));
    List<MemoryResult> results = new ArrayList<>();
    for (StoreKind store : stores()) {
      try {
        results.add(measure(store, out));
      } catch (IOException e) {
        spec.commandLine().getErr().println(store.title() + ": " + e.getMessage());
        return 1;
      }
    }
    MemoryReport report = new MemoryReport(results);
    out.printf("%n%s%n", report.table());
    List<Target> targets = report.targets();
    boolean met = Target.print(targets, out);
    write(results, targets, machine);
    return check && !met ? 1 : 0;
  }

  private List<StoreKind> stores() {
    return Arrays.stream(StoreKind.values())
        .filter(store -> store.isTerrace() || !onlyTerrace)
        .toList();
  }

  private void requireRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          spec.commandLine(), option + " is " + value + ", must be from " + least + " to " + most);
    }
  }

  private MemoryResult measure(StoreKind store, PrintWriter out)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      Path directory = store.directory(scratch);
      out.printf("%s: fills %,d blocks of %,d bytes%n", store.title(), blocks, payloadBytes);
      out.flush();
      Filled filled = run(MemoryMain.FILL, store, directory, Filled.class);
      out.printf("%s: opens them again%n", store.title());
      out.flush();
      return new MemoryResult(
          store, filled, run(MemoryMain.REOPEN, store, directory, Reopened.class));
    }
  }

  private <T> T run(String what, StoreKind store, Path directory, Class<T> result)
      throws IOException, InterruptedException {
    String output =
        new BenchmarkProcess(
                MemoryMain.class,
                BenchmarkJvm.arguments(Scratch.fileParent(), Scratch.pmemParent()),
                List.of(
                    what,
                    store.name(),
                    directory.toString(),
                    Integer.toString(blocks),
                    Integer.toString(payloadBytes)))
            .run();
    return new Gson().fromJson(output, result);
  }

  private void write(List<MemoryResult> results, List<Target> targets, Machine machine)
      throws IOException {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("command", CommandText.of(spec.commandLine()));
    settings.put("blocks", blocks);
    settings.put("payloadBytes", payloadBytes);
    JsonReport jsonReport = new JsonReport("memory", Instant.now(), machine, settings);
    jsonReport.add("results", results);
    jsonReport.add("targets", targets);
    Path file =
        json != null ? json : HBaseInstall.home().resolve("bench/target/reports/memory.json");
    jsonReport.write(file);
    spec.commandLine().getOut().printf("Written: %s%n", file);
    spec.commandLine().getOut().flush();
  }
}
