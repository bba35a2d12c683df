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

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A figure of ours beside one that was published.
 *
 * @param name what is compared, in words
 * @param values one for each round
 * @param unit times, %, s, or another
 * @param published the least and the most that was published, if something was
 * @param target what must be shown, if something must
 */
record Ratio(
    String name, Summary values, String unit, Optional<Range> published, Optional<Target> target) {

  /** A quotient of two systems that took turns; each round is compared with itself. */
  static Ratio times(String name, Measure over, Measure under) {
    return new Ratio(
        name, Summary.of(quotients(over, under)), "times", Optional.empty(), Optional.empty());
  }

  /** The same in percent. */
  static Ratio percent(String name, Measure over, Measure under) {
    List<Double> percents = quotients(over, under).stream().map(times -> 100 * times).toList();
    return new Ratio(name, Summary.of(percents), "%", Optional.empty(), Optional.empty());
  }

  /** A figure that is no quotient. */
  static Ratio of(String name, double value, String unit) {
    return of(name, Summary.of(value), unit);
  }

  /** The same, taken more than once. */
  static Ratio of(String name, Summary values, String unit) {
    return new Ratio(name, values, unit, Optional.empty(), Optional.empty());
  }

  private static List<Double> quotients(Measure over, Measure under) {
    List<Double> quotients = new ArrayList<>();
    for (int round = 0; round < Math.min(over.runs().size(), under.runs().size()); round++) {
      double divisor = under.operationsPerSecond().get(round);
      quotients.add(over.operationsPerSecond().get(round) / Math.max(1e-9, divisor));
    }
    return quotients;
  }

  Ratio published(double low, double high) {
    return new Ratio(name, values, unit, Optional.of(new Range(low, high)), target);
  }

  /** The median must be so much or more. */
  Ratio atLeast(double limit) {
    return new Ratio(
        name,
        values,
        unit,
        published,
        Optional.of(new Target(limit, "or more", values.median() >= limit)));
  }

  /** The median must be so much or less, or something else must hold. */
  Ratio atMost(double limit, boolean otherwise, String otherwiseInWords) {
    boolean met = values.median() <= limit || otherwise;
    return new Ratio(
        name,
        values,
        unit,
        published,
        Optional.of(new Target(limit, "or less, or " + otherwiseInWords, met)));
  }

  /** Returns a value of this ratio for people. */
  String inWords(double value) {
    return column().unit().format(factor() * value);
  }

  /** Returns the column that it stands in. */
  Column column() {
    return switch (unit) {
      case "%" -> Column.of("figure", "percent", Unit.SHARE);
      case "times" -> Column.of("figure", "times", Unit.TIMES);
      case "s" -> Column.of("figure", "seconds", Unit.SECONDS).lessIsBetter();
      default -> Column.of("figure", unit, Unit.SCALED);
    };
  }

  /** Returns what a value is multiplied with to be in the column's unit. */
  double factor() {
    return unit.equals("%") ? 0.01 : 1;
  }

  /** From one figure to another. */
  record Range(double low, double high) {}

  /** What must be shown. */
  record Target(double limit, String side, boolean met) {
    String inWords(Ratio ratio) {
      return ratio.inWords(limit) + " " + side;
    }
  }
}
