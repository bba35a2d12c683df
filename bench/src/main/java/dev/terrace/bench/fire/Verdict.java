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
package dev.terrace.bench.fire;

import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.server.RunFailure;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a fire showed.
 *
 * @param rounds reads of the whole table, and walks of a chain, during the fire
 * @param remains what it left
 * @param warm what came back from PMem and SSD after the last start
 * @param regions what became of the lists of heat, which the last start found damaged
 */
record Verdict(
    long rounds,
    Timeline timeline,
    RowChecks checks,
    Remains remains,
    WarmStart warm,
    RegionWarmth regions) {

  void print(PrintWriter out) {
    out.printf(Locale.ROOT, "%nrounds                     %,d%n", rounds);
    out.printf(
        Locale.ROOT,
        "faults                     %,d %s, %,d refused by HBase%n",
        timeline.faults(),
        timeline.byName(),
        timeline.refused());
    out.printf(Locale.ROOT, "rows checked               %,d%n", checks.rows());
    out.printf(Locale.ROOT, "wrong, lost, foreign rows  %,d%n", checks.wrong());
    out.printf(Locale.ROOT, "failed client operations   %,d%n", checks.errors());
    out.printf(Locale.ROOT, "findings                   %,d%n", timeline.findings().size());
    remains.figures().forEach((what, left) -> out.printf(Locale.ROOT, "%-26s %,d%n", what, left));
    out.printf(Locale.ROOT, "warm hits after            %s%n", warm);
    out.printf(Locale.ROOT, "blocks warmed              %s%n", regions);
    out.flush();
  }

  /** Throws unless nothing was wrong. */
  void requireRight(boolean isTerrace) throws RunFailure {
    List<String> wrong = new ArrayList<>(timeline.findings());
    if (isTerrace) {
      remains.figures().entrySet().stream()
          .filter(figure -> figure.getValue() != 0)
          .forEach(figure -> wrong.add(figure.getKey() + ": " + figure.getValue()));
    }
    if (isTerrace && !warm.isWarm()) {
      wrong.add("the last start was not warm");
    }
    if (isTerrace && !regions.isRight()) {
      wrong.add("damaged lists of heat were not met, or regions wait: " + regions);
    }
    checks.requireRight("the cluster");
    if (!wrong.isEmpty()) {
      throw new RunFailure(String.join("; ", wrong));
    }
  }
}
