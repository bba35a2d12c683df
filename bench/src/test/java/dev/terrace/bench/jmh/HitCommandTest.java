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

import dev.terrace.bench.workload.CacheKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class HitCommandTest {

  @Test
  void hitsOfTheUsualCachesUnlessToldOtherwise() {
    List<BenchmarkCase> cases = cases("--no-latency");

    assertThat(cases).hasSize(2 * CacheKind.values().length);
    assertThat(cases).allMatch(each -> each.operation() == Operation.HIT && !each.isTimed());
    assertThat(cases).extracting(BenchmarkCase::threads).containsOnly(1, 2);
    assertThat(cases).extracting(each -> each.cache().orElseThrow()).contains(CacheKind.values());
  }

  @Test
  void theClockIsTimedOnceForEachNumberOfThreads() {
    assertThat(cases("--caches=terrace,lru"))
        .filteredOn(BenchmarkCase::isTimed)
        .extracting(BenchmarkCase::title)
        .containsExactly(
            "Nothing (the clock alone), 1 thread",
            "Nothing (the clock alone), 2 threads",
            "latency of Terrace, 64 KB, 1 thread",
            "latency of LruBlockCache (on heap), 64 KB, 1 thread",
            "latency of Terrace, 64 KB, 2 threads",
            "latency of LruBlockCache (on heap), 64 KB, 2 threads");
  }

  private static List<BenchmarkCase> cases(String... arguments) {
    HitCommand command = new HitCommand();
    new CommandLine(command).parseArgs(arguments);
    return command.cases();
  }
}
