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
package dev.terrace.bench.cases;

import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** A case's result for people. */
final class CaseReport {

  private static final int WIDTH = 110;

  private final CaseResult result;

  CaseReport(CaseResult result) {
    this.result = result;
  }

  /** Returns what was compared, the tables, and what is different here. */
  String text() {
    CaseText about = result.about();
    StringBuilder text = new StringBuilder();
    text.append(String.format("%n(%s) %s%n", about.letter(), about.title()));
    text.append(wrapped("Published: ", about.published() + ". " + about.source() + "."));
    text.append('\n').append(measures()).append('\n').append(ratios());
    text.append(wrapped("Different here: ", about.differs().strip()));
    return text.toString();
  }

  private String measures() {
    TextTable table =
        new TextTable(
            1,
            "measured",
            "ops/s",
            "±",
            "p50 µs",
            "p99 µs",
            "hits",
            "server µs/op",
            "compiling",
            "idle",
            "switches/op",
            "contended/1,000");
    for (Measure measure : result.measures()) {
      Summary rate = measure.summary();
      table.add(
          measure.name(),
          number("%,.0f", OptionalDouble.of(rate.median())),
          number("%.0f %%", OptionalDouble.of(rate.spreadPercent())),
          number("%,.0f", measure.median(run -> of(run.outcome().latenciesMicros().p50()))),
          number("%,.0f", measure.median(run -> of(run.outcome().latenciesMicros().p99()))),
          number("%.1f %%", percent(measure.median(LoadFigures::dataHitRatio))),
          number("%.0f", measure.median(run -> of(run.serverCpuMicrosPerOperation()))),
          number("%.0f %%", percent(measure.median(LoadFigures::compilingShare))),
          number("%.0f %%", percent(measure.idleShare())),
          number("%.2f", measure.contextSwitchesPerOperation()),
          number("%.2f", measure.contendedLocksPerThousandOperations()));
    }
    return table.toString();
  }

  private String ratios() {
    TextTable table = new TextTable(1, "compared", "here", "range", "published");
    for (Ratio ratio : result.ratios()) {
      Summary values = ratio.values();
      table.add(
          ratio.name(),
          ratio.inWords(values.median()),
          values.count() == 1
              ? ""
              : ratio.inWords(values.min()) + " to " + ratio.inWords(values.max()),
          ratio.published().map(range -> inWords(ratio, range)).orElse(""));
    }
    return table.toString();
  }

  private static String inWords(Ratio ratio, Ratio.Range range) {
    return range.low() == range.high()
        ? ratio.inWords(range.low())
        : ratio.inWords(range.low()) + " to " + ratio.inWords(range.high());
  }

  /** Returns what had to be shown, and whether it was. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (Ratio ratio : result.ratios()) {
      ratio
          .target()
          .ifPresent(
              wanted ->
                  targets.add(
                      new Target(
                          wanted.met(),
                          String.format(
                              "(%s) %s: %s, wanted: %s",
                              result.about().letter(),
                              ratio.name(),
                              ratio.inWords(ratio.values().median()),
                              wanted.inWords(ratio)))));
    }
    return targets;
  }

  private static OptionalDouble of(double value) {
    return OptionalDouble.of(value);
  }

  private static OptionalDouble percent(OptionalDouble share) {
    return share.isPresent() ? OptionalDouble.of(100 * share.getAsDouble()) : share;
  }

  private static String number(String format, OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "";
  }

  static String wrapped(String head, String words) {
    StringBuilder text = new StringBuilder();
    StringBuilder line = new StringBuilder(head.stripTrailing());
    for (String word : words.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        text.append(line).append('\n');
        line = new StringBuilder("   ");
      }
      line.append(' ').append(word);
    }
    return text.append(line).append('\n').toString();
  }
}
