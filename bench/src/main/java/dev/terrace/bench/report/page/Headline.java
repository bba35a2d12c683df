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
package dev.terrace.bench.report.page;

import dev.terrace.bench.report.Markup;
import java.util.Optional;

/**
 * What a reader in a hurry takes along.
 *
 * @param rank the lower the earlier it is shown
 * @param figure short, such as {@code 10.4 times}
 * @param text of what, beside what
 * @param goal what was to be reached, and whether it was; empty where nothing was promised
 */
public record Headline(int rank, String figure, String text, Optional<Goal> goal) {

  /**
   * A promise.
   *
   * @param text what was promised
   */
  public record Goal(boolean met, String text) {

    /** The verdict in words, with a sign that is no colour. */
    String verdict() {
      return (met ? "✓ met: " : "✗ missed: ") + text;
    }
  }

  void html(Markup markup) {
    markup.open("li").element("strong", figure).element("span", text);
    goal.ifPresent(
        promised ->
            markup.element("span", promised.verdict(), "class", promised.met() ? "met" : "missed"));
    markup.close().line();
  }

  String inWords() {
    return figure + " " + text + goal.map(promised -> " (" + promised.verdict() + ")").orElse("");
  }
}
