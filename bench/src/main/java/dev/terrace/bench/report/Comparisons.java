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
package dev.terrace.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Terrace beside the best of its peers under the same conditions: where it is not better is told as
 * plainly as where it is.
 */
final class Comparisons {

  /** A difference of single measurements that is less than this share proves nothing. */
  private static final double NOISE = 0.05;

  private final List<String> notBetter = new ArrayList<>();
  private int all;

  /** Compares in all columns that say which way is better. */
  Comparisons(List<Table> tables) {
    for (Table table : tables) {
      for (Column column : table.columns()) {
        if (column.better() != Column.Better.NEITHER) {
          rivals(table, column).forEach(rows -> compare(table, column, rows));
        }
      }
    }
  }

  /** The rows that are compared with one another. */
  private static Iterable<List<Table.Row>> rivals(Table table, Column column) {
    Map<List<String>, List<Table.Row>> rivals = new LinkedHashMap<>();
    for (Table.Row row : table.rows()) {
      if (Table.figure(row, column).isPresent()) {
        rivals
            .computeIfAbsent(
                List.of(table.conditions(row), row.place()), absent -> new ArrayList<>())
            .add(row);
      }
    }
    return rivals.values();
  }

  private void compare(Table table, Column column, List<Table.Row> rows) {
    Optional<Table.Row> best =
        rows.stream()
            .filter(row -> row.look() == Look.PEER)
            .reduce(
                (one, other) ->
                    isBetter(column, figure(other, column), figure(one, column)) ? other : one);
    if (best.isPresent()) {
      rows.stream()
          .filter(row -> row.look() == Look.TERRACE)
          .forEach(row -> compare(table, column, row, best.get()));
    }
  }

  private void compare(Table table, Column column, Table.Row ours, Table.Row best) {
    all++;
    Summary figure = figure(ours, column);
    Summary other = figure(best, column);
    boolean isUnclear = isUnclear(column, figure, other);
    if (isUnclear || !isBetter(column, figure, other)) {
      String conditions = table.conditions(ours);
      notBetter.add(
          String.format(
              Locale.ROOT,
              "%s: %s %s, %s %s%s",
              conditions.isEmpty() ? column.title() : conditions + ", " + column.title(),
              table.name(ours),
              column.unit().format(figure.median()),
              table.name(best),
              column.unit().format(other.median()),
              isUnclear ? " (within the spread: no difference to be told)" : ""));
    }
  }

  private static Summary figure(Table.Row row, Column column) {
    return Table.figure(row, column).orElseThrow().figure();
  }

  private static boolean isBetter(Column column, Summary one, Summary other) {
    return column.better() == Column.Better.MORE
        ? one.median() > other.median()
        : one.median() < other.median();
  }

  private static boolean isUnclear(Column column, Summary ours, Summary theirs) {
    if (column.unit() == Unit.EXACT_SHARE) {
      return false;
    }
    if (ours.count() > 1 && theirs.count() > 1) {
      return ours.min() <= theirs.max() && theirs.min() <= ours.max();
    }
    return Math.abs(ours.median() - theirs.median()) < NOISE * Math.abs(theirs.median());
  }

  /** The comparisons in words; empty if there was nothing to compare. */
  Optional<String> summary() {
    if (all == 0) {
      return Optional.empty();
    }
    String lead = "Where Terrace is not better than the best of the others";
    return Optional.of(
        notBetter.isEmpty()
            ? String.format(
                Locale.ROOT, "%s: in none of the %d comparisons of this run.", lead, all)
            : String.format(
                Locale.ROOT,
                "%s (%d of %d comparisons of this run):",
                lead,
                notBetter.size(),
                all));
  }

  /** Each of them. */
  List<String> notBetter() {
    return notBetter;
  }
}
