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

import dev.terrace.bench.report.Target;

/** A report as Markdown: the tables with where they come from, without the charts. */
public final class MarkdownSummary {

  private final Report report;

  public MarkdownSummary(Report report) {
    this.report = report;
  }

  /** The whole document, with headings of the third level, to be put below one of the second. */
  public String markdown() {
    MarkdownText text = new MarkdownText();
    if (!report.headlines().isEmpty()) {
      text.bullets(report.headlines().stream().map(Headline::inWords).toList());
    }
    for (Section section : report.sections()) {
      append(text, section);
    }
    return text.toString().strip() + "\n";
  }

  private static void append(MarkdownText text, Section section) {
    RunFacts facts = section.facts();
    text.heading(3, section.titleWithTime());
    text.paragraph(section.about());
    facts.command().ifPresent(text::code);
    text.paragraph("Measured on: " + facts.machineLine() + ".");
    section.parts().forEach(part -> part.markdown(text));
    if (!facts.promises().isEmpty()) {
      text.bullets(facts.promises().stream().map(MarkdownSummary::verdict).toList());
    }
  }

  private static String verdict(Target promise) {
    return (promise.met() ? "met: " : "MISSED: ") + promise.text();
  }
}
