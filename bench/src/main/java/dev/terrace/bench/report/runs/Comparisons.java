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
import dev.terrace.bench.report.page.Bullets;
import dev.terrace.bench.report.page.Paragraph;
import dev.terrace.bench.report.page.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Terrace beside its peers: it tells where Terrace is not better, as plainly as where it is. */
final class Comparisons {

  /** A difference of single measurements that is less than this share proves nothing. */
  private static final double NOISE = 0.05;

  private final List<String> notBetter = new ArrayList<>();
  private int all;

  private final Better better;

  /** Which way is better. */
  enum Better {
    MORE,
    LESS
  }

  /** What a cache has. */
  record Figure(String name, Summary value) {}

  Comparisons(Better better) {
    this.better = better;
  }

  /**
   * Compares.
   *
   * @param what of what, such as a workload
   * @param format writes a value with its unit
   */
  void add(String what, Figure terrace, Figure peer, DoubleFunction<String> format) {
    all++;
    Summary ours = terrace.value();
    Summary theirs = peer.value();
    boolean isBetter = ours.median() > theirs.median() == (better == Better.MORE);
    boolean isUnclear = isUnclear(ours, theirs);
    if (isUnclear || !isBetter) {
      notBetter.add(
          String.format(
              Locale.ROOT,
              "%s: %s %s, %s %s%s",
              what,
              terrace.name(),
              format.apply(ours.median()),
              peer.name(),
              format.apply(theirs.median()),
              isUnclear ? " (within the spread: no difference to be told)" : ""));
    }
  }

  private static boolean isUnclear(Summary ours, Summary theirs) {
    if (ours.count() > 1 && theirs.count() > 1) {
      return ours.min() <= theirs.max() && theirs.min() <= ours.max();
    }
    return Math.abs(ours.median() - theirs.median()) < NOISE * Math.abs(theirs.median());
  }

  /** What is to be said; nothing if there was nothing to compare. */
  List<Part> parts() {
    if (all == 0) {
      return List.of();
    }
    if (notBetter.isEmpty()) {
      return List.of(
          new Paragraph(
              String.format(
                  Locale.ROOT,
                  "Where Terrace is not better: in none of the %d comparisons of this run.",
                  all)));
    }
    return List.of(
        new Bullets(
            String.format(
                Locale.ROOT,
                "Where Terrace is not better (%d of %d comparisons of this run):",
                notBetter.size(),
                all),
            notBetter));
  }
}
