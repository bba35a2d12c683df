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
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Compares Terrace with the best of its peers under the same conditions, and lists its losses. */
final class Comparisons {

  /** A difference of single measurements that is less than this share proves nothing. */
  private static final double NOISE = 0.05;

  private final List<String> notBetter = new ArrayList<>();
  private int all;

  /** Compares in all columns in which more, or less, is better. */
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
  private static Collection<List<Table.Row>> rivals(Table table, Column column) {
    return table.rows().stream()
        .filter(row -> Table.figure(row, column).isPresent())
        .collect(
            Collectors.groupingBy(
                row -> Map.entry(table.conditions(row), row.place()),
                LinkedHashMap::new,
                Collectors.toList()))
        .values();
  }

  private void compare(Table table, Column column, List<Table.Row> rows) {
    Comparator<Table.Row> worstFirst = Comparator.comparing(row -> figure(row, column).median());
    Comparator<Table.Row> order =
        column.better() == Column.Better.MORE ? worstFirst : worstFirst.reversed();
    Optional<Table.Row> best = rows.stream().filter(row -> row.look() == Look.PEER).max(order);
    if (best.isPresent()) {
      rows.stream()
          .filter(row -> row.look() == Look.TERRACE)
          .forEach(row -> compare(table, column, row, best.get(), order));
    }
  }

  private void compare(
      Table table, Column column, Table.Row ours, Table.Row best, Comparator<Table.Row> order) {
    all++;
    Summary figure = figure(ours, column);
    Summary other = figure(best, column);
    boolean isUnclear = isUnclear(column, figure, other);
    if (isUnclear || order.compare(ours, best) <= 0) {
      String conditions = table.conditions(ours);
      notBetter.add(
          String.format(
              Locale.ROOT,
              "%s%s: %s %s, %s %s%s",
              conditions.isEmpty() ? "" : conditions + ", ",
              column.title(),
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
    String lead = "Where Terrace is not better than the best of the others";
    return all == 0
        ? Optional.empty()
        : Optional.of(
            notBetter.isEmpty()
                ? lead + ": in none of the " + all + " comparisons of this run."
                : lead + " (" + notBetter.size() + " of " + all + " comparisons of this run):");
  }

  /** Each of them. */
  List<String> notBetter() {
    return notBetter;
  }
}
