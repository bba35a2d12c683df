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
package dev.terrace.bench.pause;

import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code terrace bench pause}: how long callers wait while a cache is busy. */
@Command(
    name = "pause",
    mixinStandardHelpOptions = true,
    description =
        "How long a get or a put takes while a large file is evicted, while the cache makes room,"
            + " and while the SSD is stalled.")
public final class PauseCommand extends Benchmark {

  private static final double MOST_PUT_P999_NANOS = 1e6;

  @Option(
      names = "--caches",
      split = ",",
      paramLabel = "CACHE",
      description =
          "As for bench hit, without the floors (default:"
              + " bucket-offheap, terrace, bucket-pmem, terrace-pmem, bucket-file, terrace-ssd).")
  private List<CacheKind> caches =
      List.of(
          CacheKind.BUCKET_OFFHEAP,
          CacheKind.TERRACE,
          CacheKind.BUCKET_PMEM,
          CacheKind.TERRACE_PMEM,
          CacheKind.BUCKET_FILE,
          CacheKind.TERRACE_SSD);

  @Option(
      names = "--only-stalled",
      description = "Only puts while the SSD is stalled, of which something is promised.")
  private boolean onlyStalled;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "100000",
      description = "The blocks, of 4 KB, of the file that is evicted (default: 100,000).")
  private int blocks;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How long a full cache, and a stalled device, are used (default: 5).")
  private int seconds;

  PauseCommand() {
    super(
        "Pauses",
        "How long a get or a put takes while something goes on beside it. Every call is timed, and"
            + " the line of nothing shows what the clock costs and how long the machine stops a"
            + " thread by itself. Calls follow one another, so that one long pause is one call:"
            + " look at the maximum.");
  }

  @Override
  protected void checkOptions() {
    requireRange("--blocks", blocks, 1000, 100_000);
    requireRange("--seconds", seconds, 1, 3600);
    for (CacheKind cache : caches) {
      require(!cache.isFloor(), "--caches=" + cache + ": must be a cache that makes room");
    }
  }

  @Override
  protected void measure(Result result) throws IOException, InterruptedException {
    List<PauseRun.Paused> pauses = new ArrayList<>();
    for (CacheKind cache : onlyStalled ? List.<CacheKind>of() : caches) {
      print("%s: evicts a file of %,d blocks, and fills up", cache.title(), blocks);
      pauses.add(OwnJvm.run(new PauseRun(cache, seconds, blocks), PauseRun.Paused.class));
    }
    print("Terrace ssd: puts while its device is stalled");
    List<StallRun.Stalled> stalls =
        List.of(OwnJvm.run(new StallRun(seconds), StallRun.Stalled[].class));
    result
        .setting("blocks", blocks)
        .setting("blockSizeBytes", PauseRun.BLOCK_SIZE_BYTES)
        .setting("seconds", seconds)
        .add(table(pauses))
        .add(stallTable(stalls))
        .addTargets(targets(stalls))
        .detail("pauses", pauses)
        .detail("stalls", stalls);
  }

  /** One line for each thing that goes on beside the callers of a cache. */
  static Table table(List<PauseRun.Paused> results) {
    Table table =
        Table.of(
            "Callers of a cache, on one thread: gets of blocks read often, each timed, and each"
                + " 20 µs a put",
            Column.texts("while", "cache"),
            LatencyNanos.columns("get", "get"),
            LatencyNanos.columns("put", "put"),
            List.of(
                Column.of("hitShare", "hits", Unit.SHARE),
                Column.of("refusedShare", "puts refused", Unit.SHARE),
                Column.of("evictionMillis", "the eviction took", Unit.MILLIS)));
    for (PauseRun.Paused result : results) {
      CacheKind cache = result.cache();
      List<Double> others = Collections.nCopies(7, Double.NaN);
      table.row(
          Look.BOUND, "timing nothing (floor)", cache.title(), result.nothing().cells(), others);
      for (Callers.Pause pause : result.pauses()) {
        boolean evicts = pause.during().equals(PauseRun.EVICTING);
        table.row(
            cache.look(),
            pause.during(),
            cache.title(),
            pause.gets().cells(),
            pause.puts().cells(),
            pause.hitShare(),
            pause.refusedShare(),
            evicts ? result.evictionMillis() : Double.NaN);
      }
    }
    return table;
  }

  /** One line for each way in which the device was stalled. */
  static Table stallTable(List<StallRun.Stalled> results) {
    Table table =
        Table.of(
            "Puts into Terrace's SSD tier while its device is stalled",
            Column.texts("device", "outcomes of puts"),
            LatencyNanos.columns("put", "put"),
            LatencyNanos.columns("taken", "taken"));
    for (StallRun.Stalled result : results) {
      String outcomes =
          result.outcomes().entrySet().stream()
              .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
              .collect(Collectors.joining(", "));
      table.row(
          Look.TERRACE,
          result.stall().title(),
          outcomes,
          result.puts().cells(),
          result.taken().cells());
    }
    return table;
  }

  /** The promises of puts while the device is stalled. */
  static List<Target> targets(List<StallRun.Stalled> stalls) {
    return stalls.stream()
        .filter(each -> each.stall() != StallRun.Stall.NONE)
        .map(
            each ->
                Target.of(
                    each.puts().p999() < MOST_PUT_P999_NANOS,
                    "Terrace ssd while %s: p99.9 of a put %s, under 1 ms",
                    each.stall().title(),
                    Unit.NANOS.format(each.puts().p999())))
        .toList();
  }
}
