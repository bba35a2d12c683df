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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

final class HitSelectionTest {

  @Command
  private static final class OfOptions {
    @CommandLine.Mixin private final HitSelection selection = new HitSelection();
  }

  @Test
  void hitsOfTheUsualCachesUnlessToldOtherwise() {
    List<HitCase> cases = selected().cases();

    assertThat(cases).hasSize(2 * CacheKind.USUAL.size());
    assertThat(cases).allMatch(each -> each.operation() == Operation.HIT);
    assertThat(cases).extracting(HitCase::threads).containsOnly(1, 2);
    assertThat(cases)
        .extracting(HitCase::cache)
        .contains(CacheKind.TERRACE_ALL)
        .doesNotContain(CacheKind.TERRACE_SSD_DIRECT, CacheKind.PREAD_DIRECT);
  }

  @Test
  void allHasAllOperationsAndCachesOnce() {
    List<HitCase> cases = selected("--all").cases();

    assertThat(cases).doesNotHaveDuplicates();
    assertThat(cases).extracting(HitCase::operation).containsOnly(Operation.values());
    assertThat(cases).extracting(HitCase::cache).containsOnly(CacheKind.values());
    assertThat(cases)
        .filteredOn(each -> each.operation() != Operation.HIT)
        .allMatch(each -> each.distribution() == KeyDistribution.ZIPF)
        .allMatch(each -> each.blockSizeBytes() == 65536);
    assertThat(selected("--all").timed(cases)).allMatch(each -> each.blockSizeBytes() == 65536);
  }

  @Test
  void floorsNeverMakeRoomAndFilesAreEvictedByOneThread() {
    List<HitCase> cases =
        selected("--operations=put,evict-file", "--caches=floor,pread,terrace", "--threads=1,4")
            .cases();

    assertThat(cases)
        .extracting(HitCase::title)
        .containsExactly(
            "Terrace, put, 64 KB, zipf, 1 thread",
            "Terrace, put, 64 KB, zipf, 4 threads",
            "Terrace, evict-file, 64 KB, zipf, 1 thread");
  }

  @Test
  void namesTheOptionThatIsWrong() {
    assertThatThrownBy(() -> selected("--block-sizes=8m").cases())
        .hasMessageContaining("must be from 1k to 4m");
    assertThatThrownBy(() -> selected("--operations=put", "--caches=floor").cases())
        .hasMessageStartingWith("--operations and --caches: nothing to measure");
    assertThatThrownBy(() -> selected("--operations=get"))
        .hasMessageContaining(
            "unknown operation 'get'; known are hit, miss, put, mixed, evict-file");
  }

  @Test
  void threadsDouble() {
    assertThat(HitSelection.doubling(4)).containsExactly(1, 2, 4);
    assertThat(HitSelection.doubling(12)).containsExactly(1, 2, 4, 8, 12);
  }

  @Test
  void theClockIsTimedOnceForEachNumberOfThreads() {
    List<HitCase> cases = selected("--caches=terrace,lru", "--operations=hit,evict-file").cases();

    assertThat(LatencyCase.of(cases))
        .extracting(LatencyCase::title)
        .containsExactly(
            "latency of nothing, 1 thread",
            "latency of nothing, 2 threads",
            "latency of Terrace, 64 KB, zipf, 1 thread",
            "latency of LruBlockCache (on heap), 64 KB, zipf, 1 thread",
            "latency of Terrace, 64 KB, zipf, 2 threads",
            "latency of LruBlockCache (on heap), 64 KB, zipf, 2 threads");
  }

  private static HitSelection selected(String... arguments) {
    OfOptions options = new OfOptions();
    new CommandLine(options).parseArgs(arguments);
    return options.selection;
  }
}
