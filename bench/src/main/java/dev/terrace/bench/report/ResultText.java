// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result.Target;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** Results as text: tables that are readable in a terminal and are valid Markdown. */
public final class ResultText {

  /** Whole words, up to the width of a terminal. */
  private static final Pattern LINE = Pattern.compile("(.{1,110})(?:\\s+|$)");

  private static final int MIN_WIDTH = 3;

  private ResultText() {}

  public static void print(Result result, PrintWriter out) {
    print(result.tables(), out);
    Target.print(result.targets(), out);
  }

  public static void print(List<Table> tables, PrintWriter out) {
    tables.forEach(table -> out.print(of(table)));
    out.flush();
  }

  /** One table, for a terminal. */
  public static String of(Table table) {
    StringBuilder out = new StringBuilder();
    if (table.isShown()) {
      out.append(paragraph(table.title() + ":"));
      rows(table).forEach(line -> out.append(line).append('\n'));
      out.append('\n');
    }
    table.notes().forEach(note -> out.append(paragraph(note)));
    return out.toString();
  }

  /** Text is aligned left, figures right. */
  private static List<StringBuilder> rows(Table table) {
    List<StringBuilder> lines = new ArrayList<>();
    for (int line = 0; line < table.rows().size() + 2; line++) {
      lines.add(new StringBuilder("|"));
    }
    for (Table.Shown column : table.shown()) {
      List<String> cells = new ArrayList<>(List.of(column.header(), ""));
      table.rows().forEach(row -> cells.add(column.text(row)));
      int width = cells.stream().mapToInt(String::length).reduce(MIN_WIDTH, Math::max);
      cells.set(1, "-".repeat(width));
      for (int line = 0; line < cells.size(); line++) {
        String cell = cells.get(line);
        String padding = " ".repeat(width - cell.length());
        String end = line == 1 && !column.isText() ? ":|" : " |";
        lines.get(line).append(' ').append(column.isText() ? cell + padding : padding + cell);
        lines.get(line).append(end);
      }
    }
    return lines;
  }

  private static String paragraph(String text) {
    return LINE.matcher(text.strip()).replaceAll("$1\n") + "\n";
  }

  /** A setting or a fact of a machine in readable form. */
  static String plain(JsonElement value) {
    if (value.isJsonArray()) {
      List<String> parts = new ArrayList<>();
      value.getAsJsonArray().forEach(part -> parts.add(plain(part)));
      return String.join(" ", parts);
    }
    if (value.isJsonPrimitive() && value.getAsJsonPrimitive().isNumber()) {
      double number = value.getAsDouble();
      return (number == Math.rint(number) ? Unit.COUNT : Unit.NUMBER).format(number);
    }
    return value.isJsonPrimitive() ? value.getAsString() : value.toString();
  }

  /** The settings without the command, which is shown separately. */
  static Map<String, String> plain(JsonObject values) {
    Map<String, String> plain = new LinkedHashMap<>();
    values.entrySet().forEach(value -> plain.put(value.getKey(), plain(value.getValue())));
    plain.remove(Result.COMMAND);
    return plain;
  }
}
