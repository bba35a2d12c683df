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
package dev.terrace.bench.report.chart;

import dev.terrace.bench.report.Markup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A picture of figures, as SVG that is as wide as there is room and keeps the size of its text. */
public interface Chart {

  /** What it shows, in one line. */
  String title();

  /** The same for those who do not see it: what is compared with what, in which unit. */
  String description();

  /** How many bars, or points of lines, it has. */
  int marks();

  /**
   * Adds the {@code svg} element.
   *
   * @param id starts all identifiers in it, and so must be the page's only one
   */
  void draw(Markup markup, String id);

  /** The style sheet that charts need on a page. */
  static String styleSheet() {
    try (InputStream in = Chart.class.getResourceAsStream("chart.css")) {
      if (in == null) {
        throw new IllegalStateException("the class path does not hold chart.css");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
