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
package dev.terrace.bench.report;

import java.util.Optional;

/**
 * A figure for the top of a report.
 *
 * @param rank the lower the earlier it is shown
 * @param figure short, such as {@code 10.4 ×}
 * @param text of what, beside what
 * @param goal what was to be reached, and whether it was; null where nothing was promised
 */
public record Headline(int rank, String figure, String text, Target goal) {

  /** A headline without a goal of its own. */
  public Headline(int rank, String figure, String text) {
    this(rank, figure, text, null);
  }

  Optional<Target> promised() {
    return Optional.ofNullable(goal);
  }
}
