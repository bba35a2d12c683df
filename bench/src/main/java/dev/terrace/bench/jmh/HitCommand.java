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

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code terrace bench hit}: hits and misses of caches, with {@link HitBenchmark}. */
@Command(
    name = "hit",
    mixinStandardHelpOptions = true,
    description =
        "Hits of Terrace and of HBase's own caches: speed, garbage and latency; with --operations"
            + " also misses.")
public final class HitCommand extends JmhBenchmark {
  private static final int LEAST_BLOCK_SIZE_BYTES = 1 << 10;
  private static final int MOST_BLOCK_SIZE_BYTES = 4 << 20;

  private static final List<Operation> LOOKUPS = List.of(Operation.HIT, Operation.MISS);

  @Option(
      names = "--operations",
      split = ",",
      paramLabel = "NAME",
      description = "hit, miss (default: hit).")
  private List<Operation> operations = List.of(Operation.HIT);

  @Option(
      names = "--caches",
      split = ",",
      paramLabel = "CACHE",
      description =
          "floor, pread, lru, tinylfu, bucket-offheap, bucket-file, bucket-file-pooled,"
              + " bucket-pmem, terrace, terrace-all, terrace-pmem, terrace-ssd,"
              + " terrace-ssd-noverify (default: all).")
  private List<CacheKind> caches = List.of(CacheKind.values());

  @Option(
      names = "--block-sizes",
      split = ",",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "4k, 64k, 256k or others (default: 64k).")
  private List<ByteSize> blockSizes = List.of(new ByteSize(64 << 10));

  @Option(
      names = "--distributions",
      split = ",",
      paramLabel = "NAME",
      description = "zipf, uniform (default: zipf).")
  private List<KeyDistribution> distributions = List.of(KeyDistribution.ZIPF);

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      converter = Threads.class,
      description = "1, 2 or more; 2x is twice the number of cores (default: 1,2).")
  private List<Integer> threads = List.of(1, 2);

  @Option(
      names = "--no-latency",
      description = "Leaves out the time of single operations, which takes one fork a case more.")
  private boolean noLatency;

  HitCommand() {
    super(
        "Hits",
        "The caches alone, without a server: operations a second of all threads together. A hit"
            + " looks a block up and gives it back. The floor is the least that has to be done, a"
            + " bare map of the same blocks, or a bare read of a file: no cache can be faster. Heap"
            + " and index bytes a block: bench memory.",
        new Iterations(6, 3),
        new Iterations(4, 2),
        1000);
  }

  @Override
  protected void checkOptions() {
    super.checkOptions();
    require(
        LOOKUPS.containsAll(operations), "--operations=" + operations + ": must be of " + LOOKUPS);
    for (ByteSize size : blockSizes) {
      require(
          size.bytes() >= LEAST_BLOCK_SIZE_BYTES && size.bytes() <= MOST_BLOCK_SIZE_BYTES,
          "--block-sizes=" + size + ": must be from 1k to 4m");
    }
  }

  /** The cases, and behind them the clock and the same cases timed. */
  @Override
  List<BenchmarkCase> cases() {
    Set<BenchmarkCase> lookups = lookups();
    List<BenchmarkCase> all = new ArrayList<>(lookups);
    if (!noLatency) {
      threads.stream().distinct().map(BenchmarkCase::clock).forEach(all::add);
      lookups.stream().map(BenchmarkCase::timed).forEach(all::add);
    }
    return all;
  }

  /** Those to be compared with one another side by side. */
  private Set<BenchmarkCase> lookups() {
    Set<BenchmarkCase> cases = new LinkedHashSet<>();
    for (Operation operation : operations) {
      for (ByteSize blockSize : blockSizes) {
        for (KeyDistribution distribution : distributions) {
          for (int count : threads) {
            for (CacheKind cache : caches) {
              int bytes = (int) blockSize.bytes();
              cases.add(BenchmarkCase.lookup(operation, cache, bytes, distribution, count));
            }
          }
        }
      }
    }
    return cases;
  }

  @Override
  void report(Map<BenchmarkCase, Figures> figures, Result result) {
    HitReport report = new HitReport(figures);
    report.tables().forEach(result::add);
    report.headline().ifPresent(result::add);
    result.addTargets(report.targets());
  }

  /** A number of threads: {@code 4}, or {@code 2x} for twice the number of cores. */
  static final class Threads implements ITypeConverter<Integer> {

    private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,3})(x?)");

    @Override
    public Integer convert(String value) {
      Matcher matcher = FORM.matcher(value.toLowerCase(Locale.ROOT));
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'" + value + "' must be a number of threads such as 4, or 2x for twice the cores");
      }
      int number = Integer.parseInt(matcher.group(1));
      return matcher.group(2).isEmpty()
          ? number
          : number * Runtime.getRuntime().availableProcessors();
    }
  }
}
