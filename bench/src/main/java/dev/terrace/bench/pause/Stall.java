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

import java.time.Duration;

/** How a device is stalled. */
enum Stall {
  /** As it is. */
  NONE("writes as fast as the disk", Duration.ZERO),

  /** A write takes so long, and is not yet taken for a failure. */
  SLOW("each write takes 0.5 s", Duration.ofMillis(500)),

  /** No write ends while puts are timed. */
  HANGING("no write ends", Duration.ofHours(1));

  private final String title;
  private final Duration delay;

  Stall(String title, Duration delay) {
    this.title = title;
    this.delay = delay;
  }

  String title() {
    return title;
  }

  Duration delay() {
    return delay;
  }
}
