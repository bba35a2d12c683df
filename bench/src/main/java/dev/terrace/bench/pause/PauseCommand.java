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

import dev.terrace.bench.Converters;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultOptions;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code terrace bench pause}: how long callers wait while a cache is busy. */
@Command(
    name = "pause",
    mixinStandardHelpOptions = true,
    description =
        "How long a get or a put takes while a large file is evicted, while the cache makes room,"
            + " and while the SSD is stalled.")
public final class PauseCommand implements Callable<Integer> {

  private static final double MOST_PUT_P999_NANOS = 1e6;

  @Spec private CommandSpec spec;

  @Option(
      names = "--caches",
      split = ",",
      paramLabel = "CACHE",
      converter = Converters.Cache.class,
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

  @Mixin private ResultOptions output = new ResultOptions();

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises.")
  private boolean check;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<PauseRun> runs = runs();
    Machine machine = new Machine();
    ResultOptions.printHead(machine, out);
    List<PauseRun.Paused> pauses = new ArrayList<>();
    for (PauseRun run : runs) {
      out.printf("%s: evicts a file of %,d blocks, and fills up%n", run.cache().title(), blocks);
      out.flush();
      pauses.add(OwnJvm.run(run, PauseRun.Paused.class));
    }
    out.printf("Terrace ssd: puts while its device is stalled%n");
    out.flush();
    List<StallRun.Stalled> stalls =
        List.of(OwnJvm.run(new StallRun.All(seconds), StallRun.Stalled[].class));
    Result result =
        new Result(
                "pause",
                "Pauses (bench pause)",
                "How long a get or a put takes while something goes on beside it. Every call is"
                    + " timed, and the line of nothing shows what the clock costs and how long the"
                    + " machine stops a thread by itself. Calls follow one another, so that one"
                    + " long pause is one call: look at the maximum.",
                machine,
                spec.commandLine())
            .setting("blocks", blocks)
            .setting("blockSizeBytes", PauseRun.BLOCK_SIZE_BYTES)
            .setting("seconds", seconds)
            .add(table(pauses))
            .add(stallTable(stalls))
            .addTargets(targets(stalls))
            .detail("pauses", pauses)
            .detail("stalls", stalls);
    return !output.finish(result, out) && check ? 1 : 0;
  }

  private List<PauseRun> runs() {
    try {
      List<PauseRun> runs = new ArrayList<>();
      for (CacheKind cache : caches) {
        runs.add(new PauseRun(cache, seconds, blocks));
      }
      return onlyStalled ? List.of() : runs;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** One line for each thing that goes on beside the callers of a cache. */
  static Table table(List<PauseRun.Paused> results) {
    List<Column> columns = new ArrayList<>(List.of(Column.text("while"), Column.text("cache")));
    columns.addAll(LatencyNanos.columns("get", "get"));
    columns.addAll(LatencyNanos.columns("put", "put"));
    columns.add(Column.of("hitShare", "hits", Unit.SHARE));
    columns.add(Column.of("refusedShare", "puts refused", Unit.SHARE));
    columns.add(Column.of("evictionMillis", "the eviction took", Unit.MILLIS));
    Table table =
        new Table(
            "Callers of a cache, on one thread: gets of blocks read often, each timed, and each"
                + " 20 µs a put",
            columns);
    LatencyNanos none = new LatencyNanos(0, 0, 0, 0, 0);
    for (PauseRun.Paused result : results) {
      CacheKind cache = CacheKind.ofLabel(result.cache());
      List<Object> nothing = cells("timing nothing (floor)", cache.title(), result.nothing(), none);
      nothing.addAll(Arrays.asList(null, null, null));
      table.row(Look.BOUND, nothing.toArray());
      for (Callers.Pause pause : result.pauses()) {
        List<Object> cells = cells(pause.during(), cache.title(), pause.gets(), pause.puts());
        cells.add(pause.hitShare());
        cells.add(pause.refusedShare());
        cells.add(pause.during().equals(PauseRun.EVICTING) ? result.evictionMillis() : null);
        table.row(cache.look(), cells.toArray());
      }
    }
    return table;
  }

  /** One line for each way in which the device was stalled. */
  static Table stallTable(List<StallRun.Stalled> results) {
    List<Column> columns =
        new ArrayList<>(List.of(Column.text("device"), Column.text("outcomes of puts")));
    columns.addAll(LatencyNanos.columns("put", "put"));
    columns.addAll(LatencyNanos.columns("taken", "taken"));
    Table table = new Table("Puts into Terrace's SSD tier while its device is stalled", columns);
    for (StallRun.Stalled result : results) {
      String outcomes =
          result.outcomes().entrySet().stream()
              .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
              .collect(Collectors.joining(", "));
      table.row(
          Look.TERRACE,
          cells(result.stall().title(), outcomes, result.puts(), result.taken()).toArray());
    }
    return table;
  }

  private static List<Object> cells(
      String first, String second, LatencyNanos one, LatencyNanos other) {
    List<Object> cells = new ArrayList<>(List.of(first, second));
    cells.addAll(one.cells());
    cells.addAll(other.cells());
    return cells;
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
