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

/** A piece of a section, that can be a piece of an HTML page and of a Markdown document. */
public sealed interface Part permits Figure, Heading, Bullets, Paragraph, Table {

  /**
   * Adds it to a page.
   *
   * @param id starts all identifiers in it, and so must be the page's only one
   */
  void html(Markup markup, String id);

  /** Adds it to a document, with a blank line behind it; nothing where Markdown cannot show it. */
  void markdown(MarkdownText text);
}
