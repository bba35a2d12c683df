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
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.BlockTraits.Residency;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TierCountersTest {

  private final TierCounters counters = new TierCounters();

  @ParameterizedTest
  @EnumSource(PutOutcome.class)
  void eachPutIsCountedOnceUnderItsOutcome(PutOutcome outcome) {
    assertThat(counters.put(outcome, 100)).isEqualTo(outcome);

    assertThat(counters.puts()).isEqualTo(outcome == PutOutcome.STORED ? 1 : 0);
    assertThat(counters.putBytes()).isEqualTo(outcome == PutOutcome.STORED ? 100 : 0);
    assertThat(counters.refusals()).isEqualTo(outcome.isRefusal() ? Map.of(outcome, 1L) : Map.of());
  }

  @Test
  void whatIsPresentIsNoRefusal() {
    assertThat(EnumSet.allOf(PutOutcome.class).stream().filter(PutOutcome::isPresent))
        .containsExactly(PutOutcome.STORED, PutOutcome.ALREADY_PRESENT);
  }

  @Test
  void evictionsAreCountedByCause() {
    counters.evicted(EvictionCause.FILE);
    counters.evicted(EvictionCause.SIZE);
    counters.evicted(EvictionCause.FILE);

    assertThat(counters.evictions())
        .isEqualTo(Map.of(EvictionCause.FILE, 2L, EvictionCause.SIZE, 1L));
  }

  @Test
  void aLookThatIsNoReadIsNoMiss() {
    counters.miss(Access.UNCOUNTED);
    counters.miss(Access.PASSING);
    counters.miss(Access.CACHING_REPLICA);

    assertThat(counters.misses()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 16})
  void aTypeOutOfRangeIsRefused(int type) {
    assertThatThrownBy(() -> new BlockTraits(type, Residency.ORDINARY))
        .hasMessage("type=" + type + " is not from 0 to 15");
  }
}
