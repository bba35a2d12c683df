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
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoTest {

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);
  private final AtomicInteger computations = new AtomicInteger();

  private Memo<Integer> taking(long nanos) {
    return new Memo<>(
        () -> {
          clock.addAndGet(nanos);
          return computations.incrementAndGet();
        },
        clock::get);
  }

  @Test
  void whatCostsNothingIsComputedEachTime() {
    Memo<Integer> memo = taking(0);

    assertThat(memo.get()).isEqualTo(1);
    assertThat(memo.get()).isEqualTo(2);
  }

  @Test
  void whatCostsIsReusedFiftyTimesAsLong() {
    Memo<Integer> memo = taking(100);

    assertThat(memo.get()).isEqualTo(1);
    clock.addAndGet(4_999);
    assertThat(memo.get()).isEqualTo(1);
    clock.addAndGet(1);
    assertThat(memo.get()).isEqualTo(2);
  }

  @Test
  void whatAPauseMadeSlowIsNotReusedForMinutes() {
    Memo<Integer> memo = taking(Duration.ofSeconds(10).toNanos());

    assertThat(memo.get()).isEqualTo(1);
    clock.addAndGet(Memo.LONGEST_REUSE.toNanos() - 1);
    assertThat(memo.get()).isEqualTo(1);
    clock.addAndGet(1);
    assertThat(memo.get()).isEqualTo(2);
  }
}
