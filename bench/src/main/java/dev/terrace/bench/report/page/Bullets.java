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
import java.util.List;

/**
 * Some short statements with what they have in common before them.
 *
 * @param lead what they have in common
 * @param items at least one
 */
public record Bullets(String lead, List<String> items) implements Part {

  /** Copies the list. */
  public Bullets {
    items = List.copyOf(items);
  }

  @Override
  public void html(Markup markup, String id) {
    markup.element("p", lead, "class", "lead").open("ul");
    items.forEach(item -> markup.element("li", item));
    markup.close().line();
  }

  @Override
  public void markdown(MarkdownText text) {
    text.paragraph(lead).bullets(items);
  }
}
