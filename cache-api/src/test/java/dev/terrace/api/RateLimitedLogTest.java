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

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class RateLimitedLogTest {

  private final AtomicLong nanos = new AtomicLong(-5);
  private final List<String> lines = new ArrayList<>();
  private final RateLimitedLog log =
      new RateLimitedLog(logger(), Duration.ofSeconds(10), nanos::get);

  private Logger logger() {
    return (Logger)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) ->
                lines.add(method.getName() + " " + arguments[0]) ? null : "");
  }

  private void after(Duration duration) {
    nanos.addAndGet(duration.toNanos());
  }

  @Test
  void theFirstWarningComesAtOnceAndTheNextAfterTheInterval() {
    log.warn("one", null);
    log.warn("two", null);
    after(Duration.ofSeconds(9));
    log.warn("three", null);
    assertThat(lines).containsExactly("warn one");

    after(Duration.ofSeconds(1));
    log.warn("four", null);
    log.warn("five", null);

    assertThat(lines).containsExactly("warn one", "warn four (and 2 more since the last one)");
  }

  @Test
  void nothingIsSaidOfSuppressedOnesThatWereNone() {
    log.warn("one", null);
    after(Duration.ofSeconds(20));
    log.warn("two", null);

    assertThat(lines).containsExactly("warn one", "warn two");
  }
}
