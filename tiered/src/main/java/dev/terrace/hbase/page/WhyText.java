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
package dev.terrace.hbase.page;

/** Writes the page that answers why something is not cached. */
final class WhyText {

  /** The parameter with the name that is asked for. */
  static final String NAME = "why";

  private WhyText() {}

  /** The form that asks, for this page and for the status page. */
  static void question(Html page, String name) {
    page.question("Why is this not cached? File, table, or table and family:", NAME, name);
  }

  /**
   * The whole page.
   *
   * @param answer sentences, one a line; then, after an empty line, tables
   */
  static String html(String name, String answer) {
    Html page = new Html();
    question(page, name);
    int tables = answer.indexOf("\n\n");
    String sentences = tables < 0 ? answer : answer.substring(0, tables);
    sentences.lines().forEach(page::paragraph);
    if (tables >= 0) {
      page.preformatted(answer.substring(tables).stripLeading());
    }
    return StatusText.HEAD + page + StatusText.END;
  }
}
