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

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.Converters;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code terrace bench hit}: runs {@link HitBenchmark} and prints one table. */
@Command(
    name = "hit",
    mixinStandardHelpOptions = true,
    description = "Hits of Terrace and of HBase's own caches: speed, and garbage a hit.")
public final class HitCommand implements Callable<Integer> {

  private static final RunOptions.Defaults DEFAULTS = new RunOptions.Defaults(3, 3, 3, 2, 2);

  private static final int LEAST_BLOCK_SIZE_BYTES = 1 << 10;
  private static final int MOST_BLOCK_SIZE_BYTES = 4 << 20;

  @Spec private CommandSpec spec;

  @Mixin private RunOptions run = new RunOptions();

  @Option(
      names = "--time",
      paramLabel = "MILLIS",
      description = "How long an iteration takes (default: ${DEFAULT-VALUE} ms).",
      defaultValue = "1000")
  private int timeMillis;

  @Option(
      names = "--caches",
      split = ",",
      paramLabel = "CACHE",
      converter = Converters.Cache.class,
      description =
          "floor, pread, lru, tinylfu, bucket-offheap, bucket-file, bucket-file-pooled,"
              + " bucket-pmem, terrace, terrace-pmem, terrace-ssd, terrace-ssd-noverify, terrace-ssd-direct"
              + " (default: all but the last).")
  private List<CacheKind> caches = CacheKind.USUAL;

  @Option(
      names = "--block-sizes",
      split = ",",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "4k, 64k, 256k or others (default: 64k).")
  private List<ByteSize> blockSizes;

  @Option(
      names = "--distributions",
      split = ",",
      paramLabel = "NAME",
      converter = Converters.Distribution.class,
      description = "zipf, uniform (default: zipf).")
  private List<KeyDistribution> distributions;

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      converter = Converters.Threads.class,
      description = "1, 2 or more; 2x is twice the number of cores (default: 1,2).")
  private List<Integer> threads;

  @Option(
      names = "--all",
      description =
          "All block sizes, both distributions, and twice the number of cores as well; about an hour"
              + " and a half.")
  private boolean all;

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises of a hit.")
  private boolean check;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    RunSettings settings = settings();
    List<HitCase> cases = cases();
    JmhCommand command = new JmhCommand("hit", settings, run.jsonFile("hit"), out);
    Map<HitCase, RunResult> results;
    try {
      results = command.run(cases);
    } catch (BenchmarkFailedException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
    HitReport report = HitReport.ofResults(results);
    out.printf("%n%s%n", report.table());
    out.printf(
        "Mops/s: million hits a second of all threads together; %s.%n",
        settings.forks() == 1
            ? "one fork, so take it as an impression"
            : "the median of " + settings.forks() + " forks, ± half their range");
    boolean met = Target.print(HitTargets.check(report), out);
    command.write(report.rows(), results);
    return check && !met ? 1 : 0;
  }

  private RunSettings settings() {
    try {
      return run.settings(DEFAULTS, Duration.ofMillis(timeMillis));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private List<HitCase> cases() {
    return HitCase.all(
        caches,
        blockSizes != null
            ? blockSizes.stream().map(this::blockSizeBytes).toList()
            : all ? List.of(4 << 10, 64 << 10, 256 << 10) : List.of(64 << 10),
        distributions != null
            ? distributions
            : all
                ? List.of(KeyDistribution.ZIPF, KeyDistribution.UNIFORM)
                : List.of(KeyDistribution.ZIPF),
        threads != null
            ? threads
            : all ? List.of(1, 2, 2 * Runtime.getRuntime().availableProcessors()) : List.of(1, 2));
  }

  private int blockSizeBytes(ByteSize size) {
    if (size.bytes() < LEAST_BLOCK_SIZE_BYTES || size.bytes() > MOST_BLOCK_SIZE_BYTES) {
      throw new ParameterException(
          spec.commandLine(), "--block-sizes=" + size + ": must be from 1k to 4m");
    }
    return (int) size.bytes();
  }
}
