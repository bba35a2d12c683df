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
import dev.terrace.bench.report.chart.Chart;

/** A chart with its title. Markdown leaves it out: the table beside it has the figures. */
public record Figure(Chart chart) implements Part {

  @Override
  public void html(Markup markup, String id) {
    markup.open("figure").element("figcaption", chart.title());
    chart.draw(markup, id);
    markup.close().line();
  }

  @Override
  public void markdown(MarkdownText text) {
    // Nothing to show it with.
  }
}
