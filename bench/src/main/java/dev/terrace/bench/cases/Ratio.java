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

import dev.terrace.bench.load.Measure;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A figure of ours beside one that was published.
 *
 * @param name what is compared, in words
 * @param values one for each round
 * @param published from the least to the most that was published, if something was
 * @param target what must be shown, if something must: whether it was, and what it is in words
 */
record Ratio(
    String name, Summary values, Unit unit, Optional<Summary> published, Optional<Target> target) {

  /** A quotient of two systems that took turns; each round is compared with itself. */
  static Ratio of(String name, Measure over, Measure under, Unit unit) {
    List<Double> quotients = new ArrayList<>();
    for (int round = 0; round < over.runs().size(); round++) {
      double divisor = Math.max(1e-9, under.operationsPerSecond().get(round));
      quotients.add(over.operationsPerSecond().get(round) / divisor);
    }
    return of(name, Summary.of(quotients), unit);
  }

  /** A figure that is no quotient. */
  static Ratio of(String name, double value, Unit unit) {
    return of(name, Summary.of(value), unit);
  }

  /** The same, taken more than once. */
  static Ratio of(String name, Summary values, Unit unit) {
    return new Ratio(name, values, unit, Optional.empty(), Optional.empty());
  }

  Ratio published(double low, double high) {
    Summary range = low == high ? Summary.of(low) : Summary.of(low, high);
    return new Ratio(name, values, unit, Optional.of(range), target);
  }

  /** The median must be so much or more. */
  Ratio atLeast(double limit) {
    return withTarget(values.median() >= limit, unit.format(limit) + " or more");
  }

  /** The median must be so much or less. */
  Ratio atMost(double limit) {
    return withTarget(values.median() <= limit, unit.format(limit) + " or less");
  }

  /** The median must be so much or less, or something else must hold. */
  Ratio atMost(double limit, boolean otherwise, String otherwiseInWords) {
    return withTarget(
        values.median() <= limit || otherwise,
        unit.format(limit) + " or less, or " + otherwiseInWords);
  }

  private Ratio withTarget(boolean met, String words) {
    return new Ratio(name, values, unit, published, Optional.of(new Target(met, words)));
  }

  String figure() {
    return unit.format(values.median());
  }
}
