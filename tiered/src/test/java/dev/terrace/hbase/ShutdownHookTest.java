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
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ShutdownHookTest {

  @Test
  void theCacheIsClosedThoughItsLastDemotionEndsWithAnError() {
    AtomicInteger closed = new AtomicInteger();
    ShutdownHook hook =
        new ShutdownHook(
            () -> {
              throw new StackOverflowError("as asked");
            },
            closed::incrementAndGet,
            List.of());
    hook.closeAndWait();
    assertThat(closed).hasValue(1);
  }
}
