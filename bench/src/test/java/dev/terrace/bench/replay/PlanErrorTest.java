// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.terrace.bench.replay.ReplayedTiers.TierFigures;
import dev.terrace.bench.replay.ReplayedTiers.Writes;
import dev.terrace.tiered.plan.SizeCurves;
import dev.terrace.tiered.plan.TierSizes;
import dev.terrace.tools.trace.Trace;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans against replays of all blocks through the real tiers. */
@Tag("long")
final class PlanErrorTest {

  private static final int ONE_IN = 4;

  private static TierSizes sizes(Trace trace, double dram, double pmem, double ssd) {
    long blocks = trace.distinctBlocks();
    // Even numbers of blocks, as half a tier must be whole blocks, too.
    return new TierSizes(
            (long) (dram * blocks / 2), (long) (pmem * blocks / 2), (long) (ssd * blocks / 2))
        .times(2L * Traces.BLOCK_BYTES);
  }

  private static double replayed(Trace trace, TierSizes sizes) {
    if (sizes.allBytes() == 0) {
      return 0;
    }
    try (ReplayedTiers tiers = ReplayedTiers.open(trace, sizes, Writes.HITS)) {
      return (double) trace.hits(tiers::access) / trace.length();
    }
  }

  /** The hits of the real tiers at the sizes of some outlooks. */
  private static List<Double> exact(
      Trace trace, TierSizes today, List<SizeCurves.Outlook> outlooks) {
    Map<TierSizes, Double> known = new HashMap<>();
    return outlooks.stream()
        .map(outlook -> today.with(outlook.tier(), outlook.sizeBytes()))
        .map(sizes -> known.computeIfAbsent(sizes, each -> replayed(trace, each)))
        .toList();
  }

  private static DoubleSummaryStatistics errors(
      List<SizeCurves.Outlook> outlooks, List<Double> exact) {
    return IntStream.range(0, exact.size())
        .mapToDouble(i -> Math.abs(outlooks.get(i).hitRatio() - exact.get(i)))
        .summaryStatistics();
  }

  private static Stream<Arguments> traces() {
    Trace skewed = Traces.zipf(20_000, 4_000, 1);
    Trace lately = Traces.recency(20_000, 4_000, 2);
    Trace bursts = Traces.bursts(20_000, 4_000, 3);
    return Stream.of(
        arguments(named("skewed", skewed), sizes(skewed, 0.2, 0, 0.3), true),
        arguments(named("read lately", lately), sizes(lately, 0.2, 0.2, 0.3), true),
        arguments(named("one tier", bursts), sizes(bursts, 0.2, 0, 0), false));
  }

  /** Checks the simulation on all blocks, and where there are enough of them on a sample. */
  @ParameterizedTest
  @MethodSource("traces")
  void planIsClose(Trace trace, TierSizes today, boolean isSampled) {
    List<SizeCurves.Outlook> whole = trace.outlooks(today, false);
    List<Double> exact = exact(trace, today, whole);
    assertThat(errors(whole, exact).getAverage()).as("simulation").isLessThan(0.01);
    assertThat(errors(whole, exact).getMax()).as("simulation").isLessThan(0.025);

    if (!isSampled) {
      return;
    }
    Trace sample = trace.sample(ONE_IN);
    assertThat(sample.distinctBlocks())
        .isBetween(trace.distinctBlocks() / 5, trace.distinctBlocks() / 3);
    List<SizeCurves.Outlook> sampled = sample.outlooks(today, false);
    assertThat(errors(sampled, exact).getAverage()).as("sample").isLessThan(0.015);
    assertThat(errors(sampled, exact).getMax()).as("sample").isLessThan(0.03);
  }

  @Test
  void writesToSsdAreNear() {
    Trace trace = Traces.zipf(30_000, 4_000, 4);
    TierSizes today = sizes(trace, 0.1, 0, 0.2);
    List<SizeCurves.Outlook> outlooks = trace.outlooks(today, false);
    SizeCurves.Outlook now = outlooks.get(7);
    assertThat(now.tier() + now.factor()).isEqualTo("ssd1");
    try (ReplayedTiers tiers = ReplayedTiers.open(trace, today, Writes.HITS)) {
      trace.hits(tiers::access);
      TierFigures ssd = tiers.tiers().get(1);

      assertThat((double) now.ssdBytesWritten() / (ssd.bytesWritten() + ssd.bytesRewritten()))
          .isBetween(0.7, 1.4);
    }
  }
}
