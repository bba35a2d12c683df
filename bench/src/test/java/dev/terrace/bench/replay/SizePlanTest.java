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
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SizePlanTest {

  private static final int ONE_IN = 4;

  private static SizePlan plan(Trace trace, double dram, double pmem, double ssd) {
    long bytes = trace.distinctBytes();
    return new SizePlan(
        (long) (dram * bytes), (long) (pmem * bytes), (long) (ssd * bytes), Comparison.Writes.HITS);
  }

  private static List<SizePlan.Outlook> outlooks(SizePlan plan, Trace trace) throws IOException {
    return plan.outlooks(trace, outlook -> {});
  }

  private static void assertSampleIsClose(Trace trace, SizePlan plan) throws IOException {
    Trace sample = trace.sample(ONE_IN);
    assertThat(sample.distinctBlocks())
        .isBetween(trace.distinctBlocks() / 5, trace.distinctBlocks() / 3);
    List<SizePlan.Outlook> all = outlooks(plan, trace);
    List<SizePlan.Outlook> planned = outlooks(plan, sample);
    DoubleSummaryStatistics errors =
        IntStream.range(0, all.size())
            .mapToDouble(i -> Math.abs(all.get(i).hitRatio() - planned.get(i).hitRatio()))
            .summaryStatistics();

    assertThat(errors.getAverage()).isLessThan(0.01);
    assertThat(errors.getMax()).isLessThan(0.025);
  }

  @Test
  void aSampleOfSkewedReadsTellsTheHitsOfAll() throws IOException {
    Trace trace = Traces.zipf(30_000, 6_000, 1);

    assertSampleIsClose(trace, plan(trace, 0.2, 0, 0.3));
  }

  @Test
  void aSampleOfReadsOfWhatWasReadLatelyTellsTheHitsOfAll() throws IOException {
    Trace trace = Traces.recency(30_000, 4_000, 2);

    assertSampleIsClose(trace, plan(trace, 0.2, 0.2, 0.3));
  }

  @Test
  void eachTierIsChangedAloneAndTodayIsTheSame() throws IOException {
    Trace trace = Traces.zipf(10_000, 2_000, 3);
    SizePlan plan = plan(trace, 0.2, 0, 0.4);

    List<SizePlan.Outlook> outlooks = outlooks(plan, trace);

    assertThat(outlooks).hasSize(10);
    assertThat(outlooks).extracting(SizePlan.Outlook::times).startsWith(0.0, 0.5, 1.0, 2.0, 4.0);
    assertThat(outlooks.get(7).hitRatio()).isEqualTo(outlooks.get(2).hitRatio());
    assertThat(outlooks.get(9).sizeBytes()).isEqualTo(4 * plan.ssdBytes());
    assertThat(outlooks.get(5).ssdBytesWritten()).as("without SSD").isZero();
    assertThat(outlooks.get(5).hitRatio()).isLessThan(outlooks.get(9).hitRatio() - 0.02);
    assertThat(outlooks.get(7).hitRatio())
        .as("as the replay of these sizes")
        .isEqualTo(replayed(trace, plan));
  }

  private static double replayed(Trace trace, SizePlan plan) throws IOException {
    Comparison sizes =
        new Comparison(
            trace,
            plan.dramBytes() / trace.unitBytes() * trace.unitBytes(),
            0,
            plan.ssdBytes() / trace.unitBytes() * trace.unitBytes(),
            plan.writes(),
            false);
    try (ReplayedTiers tiers = ReplayedTiers.open(sizes)) {
      return (double) trace.hits(tiers::access) / trace.length();
    }
  }

  @Test
  void withoutAnyTierThereAreNoHits() throws IOException {
    Trace trace = Traces.zipf(10_000, 2_000, 4);

    List<SizePlan.Outlook> outlooks = outlooks(plan(trace, 0.5, 0, 0), trace);

    assertThat(outlooks).hasSize(5);
    assertThat(outlooks.get(0).hitRatio()).isZero();
    assertThat(outlooks.get(1).hitRatio()).isPositive();
    assertThat(outlooks.get(4).hitRatio())
        .as("only first reads miss")
        .isEqualTo(1 - (double) trace.distinctBlocks() / trace.length());
  }
}
