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
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code terrace bench hit}: hits and misses of caches, with {@link HitBenchmark}. */
@Command(
    name = "hit",
    mixinStandardHelpOptions = true,
    description =
        "Hits of Terrace and of HBase's own caches: speed, garbage and latency; with --operations"
            + " also misses.")
public final class HitCommand implements Callable<Integer> {
  private static final int LEAST_BLOCK_SIZE_BYTES = 1 << 10;
  private static final int MOST_BLOCK_SIZE_BYTES = 4 << 20;

  @Spec private CommandSpec spec;
  @Mixin private JmhRun run = new JmhRun(6, 3, 4, 2, 1000);

  @Option(
      names = "--operations",
      split = ",",
      paramLabel = "NAME",
      converter = Operation.Converter.class,
      description = "hit, miss (default: hit).")
  private List<Operation> operations = List.of(Operation.HIT);

  @Option(
      names = "--caches",
      split = ",",
      paramLabel = "CACHE",
      converter = Converters.Cache.class,
      description =
          "floor, pread, lru, tinylfu, bucket-offheap, bucket-file, bucket-file-pooled,"
              + " bucket-pmem, terrace, terrace-all, terrace-pmem, terrace-ssd,"
              + " terrace-ssd-noverify (default: these); bucket-pmem-disk, terrace-pmem-disk,"
              + " pread-direct, terrace-ssd-direct.")
  private List<CacheKind> caches = CacheKind.USUAL;

  @Option(
      names = "--block-sizes",
      split = ",",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "4k, 64k, 256k or others (default: 64k).")
  private List<ByteSize> blockSizes = List.of(new ByteSize(64 << 10));

  @Option(
      names = "--distributions",
      split = ",",
      paramLabel = "NAME",
      converter = Converters.Distribution.class,
      description = "zipf, uniform (default: zipf).")
  private List<KeyDistribution> distributions = List.of(KeyDistribution.ZIPF);

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      converter = Converters.Threads.class,
      description = "1, 2 or more; 2x is twice the number of cores (default: 1,2).")
  private List<Integer> threads = List.of(1, 2);

  @Option(
      names = "--no-latency",
      description = "Leaves out the time of single operations, which takes one fork a case more.")
  private boolean noLatency;

  @Override
  public Integer call() throws IOException {
    return run.run("hit", allCases(), this::result);
  }

  /** The cases, and behind them the clock and the same cases timed. */
  List<BenchmarkCase> allCases() {
    List<BenchmarkCase> all = new ArrayList<>(cases());
    if (!noLatency) {
      threads.stream().distinct().map(BenchmarkCase::clock).forEach(all::add);
      cases().stream().map(BenchmarkCase::timed).forEach(all::add);
    }
    return all;
  }

  /** Those to be compared with one another side by side. */
  private List<BenchmarkCase> cases() {
    Set<BenchmarkCase> cases = new LinkedHashSet<>();
    for (Operation operation : operations) {
      for (ByteSize blockSize : blockSizes) {
        for (KeyDistribution distribution : distributions) {
          for (int count : threads) {
            for (CacheKind cache : caches) {
              cases.add(
                  BenchmarkCase.lookup(operation, cache, bytesOf(blockSize), distribution, count));
            }
          }
        }
      }
    }
    return List.copyOf(cases);
  }

  private int bytesOf(ByteSize size) {
    if (size.bytes() < LEAST_BLOCK_SIZE_BYTES || size.bytes() > MOST_BLOCK_SIZE_BYTES) {
      throw new ParameterException(
          spec.commandLine(), "--block-sizes=" + size + ": must be from 1k to 4m");
    }
    return (int) size.bytes();
  }

  private Result result(Map<BenchmarkCase, Figures> figures) {
    HitReport report = new HitReport(figures);
    Result result =
        new Result(
                "hit",
                "Hits (bench hit)",
                "The caches alone, without a server: operations a second of all threads together. A"
                    + " hit looks a block up and gives it back. The floor is the least that has to"
                    + " be done, a bare map of the same blocks, or a bare read of a file: no cache"
                    + " can be faster. Heap and index bytes a block: bench memory.",
                new Machine(),
                spec.commandLine())
            .addTargets(report.targets());
    report.tables().forEach(result::add);
    report.headline().ifPresent(result::add);
    return result;
  }
}
