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
package dev.terrace.region.device;

import dev.terrace.api.PathStats;
import java.util.concurrent.atomic.LongAdder;

/** How long operations of a device took. Any thread may call any method. */
final class IoTimes {

  private final LongAdder count = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /** Counts an operation that has just ended. */
  void since(long startNanos) {
    count.increment();
    nanos.add(System.nanoTime() - startNanos);
  }

  /** All operations so far. */
  PathStats.Times sum() {
    return new PathStats.Times(count.sum(), nanos.sum());
  }
}
