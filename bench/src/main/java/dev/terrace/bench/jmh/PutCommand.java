// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code terrace bench put}: runs {@link PutBenchmark} and prints one table. */
@Command(
    name = "put",
    mixinStandardHelpOptions = true,
    description = "Puts into free space, beside copying the same bytes.",
    footer = {
      "",
      JmhBenchmark.JMH_OPTIONS,
      "Caches: BUCKET_OFFHEAP and TERRACE, or others of bench hit."
    })
public final class PutCommand extends JmhBenchmark {

  private static final double MIN_OF_COPY = 0.5;
  private static final double MAX_TIMES_WITH_MANY_FILES = 1.1;

  public PutCommand() {
    super(
        PutBenchmark.class,
        List.of(1),
        List.of(CacheKind.BUCKET_OFFHEAP, CacheKind.TERRACE),
        cache -> "copy",
        "Puts",
        "One thread puts blocks of 64 KB into an empty cache with room for all of them. Terrace"
            + " stores a block in the caller's thread; BucketCache queues it for its writers, and"
            + " drops it when their queue is full. So a short time is worth only what is kept of"
            + " the blocks: what a cache dropped has to be read from disk again. The same bytes"
            + " copied into memory are the bound of a cache that stores at once.");
  }

  private static Optional<Scores> find(Map<Scores.Case, Scores> scores, Optional<CacheKind> cache) {
    return scores.entrySet().stream()
        .filter(each -> each.getKey().cache().equals(cache))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  @Override
  Table table(Map<Scores.Case, Scores> scores) {
    Table table =
        new Table(
            "Puts of 64 KB",
            Column.text("cache"),
            Column.of("microsPerBlock", "µs a block", Unit.NUMBER),
            Column.of("offeredGigabytes", "GB/s offered", Unit.NUMBER),
            Column.of("droppedShare", "dropped", Unit.SHARE),
            Column.of("keptGigabytes", "GB/s kept", Unit.NUMBER),
            Column.of("ofCopy", "kept of the copy's speed", Unit.TIMES));
    scores.forEach(
        (each, measured) ->
            table.row(
                each.cache().map(CacheKind::look).orElse(Look.BOUND),
                each.title(),
                measured.score(),
                offeredGigabytes(measured),
                measured.droppedShare(),
                offeredGigabytes(measured) * (1 - measured.droppedShare()),
                ofCopy(scores, measured)));
    return table
        .bars("Blocks that were dropped", "droppedShare")
        .bars("Bytes that the cache kept", "keptGigabytes");
  }

  private static double offeredGigabytes(Scores measured) {
    return PutBenchmark.BLOCK_SIZE_BYTES / (measured.score().median() * 1e3);
  }

  /** A cache's put speed as a share of the speed of a copy. */
  private static double ofCopy(Map<Scores.Case, Scores> scores, Scores measured) {
    Scores copy = find(scores, Optional.empty()).orElseThrow();
    return offeredGigabytes(measured) * (1 - measured.droppedShare()) / offeredGigabytes(copy);
  }

  /** The promises for puts; empty if Terrace was not measured. */
  @Override
  List<Target> targets(Map<Scores.Case, Scores> scores) {
    List<Target> targets = new ArrayList<>();
    find(scores, Optional.of(CacheKind.TERRACE))
        .ifPresent(
            terrace -> {
              find(scores, Optional.of(CacheKind.TERRACE_MANY_FILES))
                  .map(many -> withManyFiles(many.score().median() / terrace.score().median()))
                  .ifPresent(targets::add);
              double dropped = terrace.droppedShare();
              targets.add(Target.of(dropped == 0, "%.3f %% dropped, none", 100 * dropped));
              double ofCopy = ofCopy(scores, terrace);
              targets.add(
                  Target.of(
                      ofCopy >= MIN_OF_COPY,
                      "%.2f of the copy's speed, at least %s",
                      ofCopy,
                      MIN_OF_COPY));
            });
    return targets;
  }

  private static Target withManyFiles(double times) {
    return Target.of(
        times <= MAX_TIMES_WITH_MANY_FILES,
        "%s: a put takes %.2f times as long as %s, at most %s",
        CacheKind.TERRACE_MANY_FILES.title(),
        times,
        CacheKind.TERRACE.title(),
        MAX_TIMES_WITH_MANY_FILES);
  }
}
