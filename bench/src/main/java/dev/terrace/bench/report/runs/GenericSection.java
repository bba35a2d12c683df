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

import dev.terrace.bench.report.page.Paragraph;
import dev.terrace.bench.report.page.Part;
import dev.terrace.bench.report.page.Section;
import dev.terrace.bench.report.page.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** A run that the report knows nothing of: its figures as they are. */
final class GenericSection {

  private static final Set<String> ELSEWHERE =
      Set.of("name", "time", "machine", "settings", "targets", "jmh");
  private static final int MOST_COLUMNS = 12;
  private static final int MOST_ROWS = 100;

  private GenericSection() {}

  static Section of(RunFile run) {
    List<Part> parts = new ArrayList<>();
    parts.add(
        new Paragraph(
            "This version of the report has no charts for runs named '"
                + run.name()
                + "': here are the figures as they are."));
    Map<String, String> single = new LinkedHashMap<>();
    for (Map.Entry<String, JsonElement> entry : run.body().entries()) {
      if (ELSEWHERE.contains(entry.getKey())) {
        continue;
      }
      if (isListOfObjects(entry.getValue())) {
        parts.addAll(table(entry.getKey(), entry.getValue().getAsJsonArray()));
      } else {
        flatten(entry.getKey(), entry.getValue(), single);
      }
    }
    if (!single.isEmpty()) {
      Table table = new Table("Figures", 1, List.of("name", "value"));
      single.entrySet().stream()
          .limit(MOST_ROWS)
          .forEach(entry -> table.row(List.of(entry.getKey(), entry.getValue())));
      parts.add(table);
    }
    return new Section(
        run.name(), "A run named '" + run.name() + "'.", run.facts(), List.of(), parts);
  }

  private static boolean isListOfObjects(JsonElement value) {
    return value.isJsonArray()
        && !value.getAsJsonArray().isEmpty()
        && value.getAsJsonArray().get(0).isJsonObject();
  }

  private static List<Part> table(String name, JsonArray list) {
    List<Map<String, String>> rows = new ArrayList<>();
    Set<String> columns = new LinkedHashSet<>();
    for (JsonElement element : list) {
      Map<String, String> row = new LinkedHashMap<>();
      flatten("", element, row);
      rows.add(row);
      columns.addAll(row.keySet());
    }
    List<String> header = columns.stream().limit(MOST_COLUMNS).toList();
    if (header.isEmpty()) {
      return List.of();
    }
    Table table = new Table(name, 1, header);
    rows.stream()
        .limit(MOST_ROWS)
        .forEach(
            row ->
                table.row(
                    header.stream()
                        .map(column -> row.getOrDefault(column, Numbers.NONE))
                        .toList()));
    List<Part> parts = new ArrayList<>(List.of(table));
    if (rows.size() > MOST_ROWS || columns.size() > MOST_COLUMNS) {
      parts.add(
          new Paragraph(
              "Shown are at most "
                  + MOST_ROWS
                  + " rows and "
                  + MOST_COLUMNS
                  + " columns; the file has "
                  + rows.size()
                  + " and "
                  + columns.size()
                  + "."));
    }
    return parts;
  }

  /**
   * Names of nested objects are joined by points; a summary is one figure; lists tell their size.
   */
  private static void flatten(String name, JsonElement value, Map<String, String> into) {
    if (value.isJsonNull()) {
      return;
    }
    if (value.isJsonObject()) {
      JsonObject object = value.getAsJsonObject();
      if (isSummary(object)) {
        into.put(name, summary(object));
      } else {
        for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
          String nested = name.isEmpty() ? entry.getKey() : name + "." + entry.getKey();
          flatten(nested, entry.getValue(), into);
        }
      }
    } else if (value.isJsonArray()) {
      into.put(name, value.getAsJsonArray().size() + " values");
    } else {
      into.put(
          name.isEmpty() ? "value" : name,
          Fields.isNumber(value) ? Numbers.plain(value.getAsDouble()) : value.getAsString());
    }
  }

  private static boolean isSummary(JsonObject object) {
    return List.of("median", "min", "max").stream()
        .allMatch(field -> object.has(field) && Fields.isNumber(object.get(field)));
  }

  private static String summary(JsonObject object) {
    return Numbers.plain(object.get("median").getAsDouble())
        + " ("
        + Numbers.plain(object.get("min").getAsDouble())
        + " to "
        + Numbers.plain(object.get("max").getAsDouble())
        + ")";
  }
}
