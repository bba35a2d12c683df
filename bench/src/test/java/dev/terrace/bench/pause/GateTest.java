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

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class GateTest {

  private final Gate gate = new Gate();

  @Test
  void isOpenAtFirst() {
    gate.pass();

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void delaysEachWhoPasses() {
    Duration delay = Duration.ofMillis(30);
    gate.delay(delay);

    long start = System.nanoTime();
    gate.pass();

    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(delay.toNanos());
  }

  @Test
  void openingLetsThoseThroughWhoWaitAndAnInterruptDoesNot() throws InterruptedException {
    gate.delay(Duration.ofHours(1));
    boolean[] interrupted = new boolean[1];
    Thread waiting =
        new Thread(
            () -> {
              gate.pass();
              interrupted[0] = Thread.currentThread().isInterrupted();
            },
            "gate-test");
    waiting.start();
    waiting.interrupt();
    waiting.join(50);
    assertThat(waiting.isAlive()).isTrue();

    gate.open();
    waiting.join();
    assertThat(interrupted[0]).isTrue();
  }
}
