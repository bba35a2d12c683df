// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import picocli.CommandLine;

/** Runs {@code terrace} with arguments, in this process, and keeps what it says. */
public final class TerraceLine {

  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  /** Runs a command with arguments, and returns its exit value. */
  public int run(String command, Object... more) {
    out = new StringWriter();
    err = new StringWriter();
    CommandLine line = TerraceCli.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    List<String> arguments = new ArrayList<>(List.of(command));
    for (Object each : more) {
      arguments.add(each.toString());
    }
    return line.execute(arguments.toArray(String[]::new));
  }

  /** What the last run wrote to standard output. */
  public String out() {
    return out.toString();
  }

  /** What the last run wrote to standard error. */
  public String err() {
    return err.toString();
  }

  /** The cells of each row of a table in a file of results. */
  public static List<JsonObject> cells(Path json, int table) throws IOException {
    JsonObject result = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    List<JsonObject> cells = new ArrayList<>();
    for (JsonElement row :
        result.getAsJsonArray("tables").get(table).getAsJsonObject().getAsJsonArray("rows")) {
      cells.add(row.getAsJsonObject().getAsJsonObject("cells"));
    }
    return cells;
  }
}
