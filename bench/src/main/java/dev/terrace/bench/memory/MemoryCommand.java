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

import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultOptions;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private ResultOptions output = new ResultOptions();

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
    ResultOptions.printHead(machine, out);
    List<MemoryResult> results = new ArrayList<>();
    for (StoreKind store : stores()) {
      try {
        results.add(measure(store, out));
      } catch (IOException e) {
        spec.commandLine().getErr().println(store.title() + ": " + e.getMessage());
        return 1;
      }
    }
    boolean met = output.finish(result(results, machine), out);
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
      Fill fill = new Fill(store, directory.toString(), blocks, payloadBytes);
      Filled filled = OwnJvm.run(fill, Filled.class);
      out.printf("%s: opens them again%n", store.title());
      out.flush();
      return new MemoryResult(store, filled, OwnJvm.run(new Reopen(fill), Reopened.class));
    }
  }

  private Result result(List<MemoryResult> results, Machine machine) {
    MemoryReport report = new MemoryReport(results);
    Result result =
        new Result(
                "memory",
                "Memory and restart (bench memory)",
                "Small blocks go into an empty store, and a second process opens what the first one"
                    + " left. What a store keeps in memory for each block limits how large a cache"
                    + " on SSDs can be. The times begin when the store is opened, in a process that"
                    + " has run nothing of it.",
                machine,
                spec.commandLine())
            .setting("blocks", blocks)
            .setting("payloadBytes", payloadBytes)
            .add(report.table())
            .addTargets(report.targets())
            .detail("stores", results);
    report.headline().ifPresent(result::add);
    return result;
  }
}
