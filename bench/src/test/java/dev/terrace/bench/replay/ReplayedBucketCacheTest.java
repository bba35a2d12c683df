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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.tools.TraceSize;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ReplayedBucketCacheTest {

  private static long hits(Trace trace, String size) throws IOException {
    long capacityBytes = TraceSize.parse(size).bytesOf(trace);
    try (ReplayedBucketCache cache = new ReplayedBucketCache(trace, capacityBytes)) {
      return trace.hits(cache::access);
    }
  }

  @Test
  void replaysAlikeEachTime() throws IOException {
    Trace trace = Traces.skewed(20_000, 1_000, 1);
    long hits = hits(trace, "20%");

    assertThat((double) hits / trace.length()).isBetween(0.3, 0.9);
    assertThat((double) Math.abs(hits(trace, "20%") - hits) / trace.length()).isLessThan(0.01);
  }

  @Test
  void refusesBlocksOfSeveralSizes() {
    Trace trace = Traces.ofSeveralSizes(100, 50, 1);

    assertThatThrownBy(() -> new ReplayedBucketCache(trace, 10_000))
        .hasMessageContaining("one size");
  }
}
