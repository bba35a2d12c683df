// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.load.LoadFigures.CacheUse;
import dev.terrace.bench.load.LoadFigures.LoadOutcome;
import dev.terrace.bench.load.LoadFigures.Usage;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.report.Summary.LatencyNanos;
import dev.terrace.bench.server.Daemon.Jvm;
import dev.terrace.bench.server.ServerSetup;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Measures for tests: runs of one second. */
public final class Measures {

  private Measures() {}

  /**
   * A measure with a run of one second for each of the numbers of operations.
   *
   * @param id the server's name; it runs Terrace if that begins so
   */
  public static Measure of(String id, String title, Workload workload, long... operations) {
    boolean isTerrace = id.startsWith("terrace");
    long any = 1L << 20;
    ServerSetup setup = new ServerSetup(id, title, isTerrace, new Jvm(any, any), Map.of());
    return new Measure(
        setup,
        workload,
        4,
        Arrays.stream(operations).mapToObj(count -> run(count, isTerrace)).toList());
  }

  private static LoadFigures run(long operations, boolean isTerrace) {
    return new LoadFigures(
        new LoadOutcome(
            Duration.ofSeconds(1),
            operations,
            0,
            new LatencyNanos(operations, 1_000, 3_000_000, 4_000_000, 5_000_000)),
        new Usage(
            operations * 100e-6,
            operations * 12e-6,
            1,
            4,
            8,
            Double.NaN,
            Double.NaN,
            Optional.empty()),
        new CacheUse(3, 1, isTerrace ? Map.of("dram", 30L) : Map.of()));
  }
}
