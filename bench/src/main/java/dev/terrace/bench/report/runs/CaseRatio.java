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
package dev.terrace.bench.report.runs;

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.page.Headline;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A ratio of a published case: as measured here, as published, and as it was to be.
 *
 * @param unit "times", "%" or "s"
 * @param target empty where none was set
 * @param met empty where there is no verdict
 */
record CaseRatio(
    String name,
    Summary value,
    String unit,
    OptionalDouble publishedLow,
    OptionalDouble publishedHigh,
    OptionalDouble target,
    Optional<Boolean> met) {

  private static final int HEADLINE_RANK = 10;

  static CaseRatio of(Fields fields) throws RunFileException {
    double value = fields.needNumber("value");
    OptionalDouble min = fields.number("min");
    OptionalDouble max = fields.number("max");
    boolean hasSpread = min.isPresent() && max.isPresent();
    return new CaseRatio(
        fields.needText("name"),
        new Summary(value, min.orElse(value), max.orElse(value), hasSpread ? 2 : 1),
        fields.text("unit").orElse("times"),
        fields.number("publishedLow"),
        fields.number("publishedHigh"),
        fields.number("target"),
        fields.flag("met"));
  }

  /** The row of the overview. */
  List<String> cells(String caseName) {
    boolean hasSpread = value.count() > 1;
    return List.of(
        "(" + caseName + ")",
        name,
        withUnit(value.median()),
        hasSpread ? Numbers.threeDigits(value.min()) : Numbers.NONE,
        hasSpread ? Numbers.threeDigits(value.max()) : Numbers.NONE,
        published(),
        target.isPresent() ? withUnit(target.getAsDouble()) : Numbers.NONE,
        met.map(kept -> kept ? "✓ met" : "✗ missed").orElse(Numbers.NONE));
  }

  /** For the top of the report, where there is a target. */
  Optional<Headline> headline(String caseName) {
    if (target.isEmpty() || met.isEmpty()) {
      return Optional.empty();
    }
    String goal = "the target is " + withUnit(target.getAsDouble());
    return Optional.of(
        new Headline(
            HEADLINE_RANK,
            withUnit(value.median()),
            name
                + " (case "
                + caseName
                + (publishedLow.isPresent() ? "; published: " + published() : "")
                + ")",
            Optional.of(new Headline.Goal(met.get(), goal))));
  }

  /** The target as a promise, where there is one. */
  Optional<Target> promise(String caseName) {
    return target.isEmpty() || met.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Target(
                met.get(),
                String.format(
                    Locale.ROOT,
                    "(%s) %s: %s, the target is %s",
                    caseName,
                    name,
                    withUnit(value.median()),
                    withUnit(target.getAsDouble()))));
  }

  private String published() {
    if (publishedLow.isEmpty()) {
      return Numbers.NONE;
    }
    double low = publishedLow.getAsDouble();
    double high = publishedHigh.orElse(low);
    return low == high ? withUnit(low) : Numbers.threeDigits(low) + " to " + withUnit(high);
  }

  private String withUnit(double number) {
    return withUnit(number, unit);
  }

  /** A number of a unit, short. */
  static String withUnit(double number, String unit) {
    return Numbers.threeDigits(number) + " " + (unit.equals("times") ? "×" : unit);
  }
}
