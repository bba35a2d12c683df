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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** A run's results as JSON: when, on what, with which settings, and what came out. */
public final class JsonReport {

  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

  private final JsonObject report = new JsonObject();

  /**
   * A report without results.
   *
   * @param name what was run
   * @param now when
   * @param machine on what
   * @param settings with what: names and values
   */
  public JsonReport(String name, Instant now, Machine machine, Map<String, ?> settings) {
    report.addProperty("name", name);
    report.addProperty("time", now.truncatedTo(ChronoUnit.SECONDS).toString());
    report.add("machine", GSON.toJsonTree(machine.describe()));
    report.add("settings", GSON.toJsonTree(settings));
  }

  /** Adds maps, lists, strings and numbers under a name. */
  public void add(String name, Object value) {
    report.add(name, value instanceof JsonElement json ? json : GSON.toJsonTree(value));
  }

  /** Writes the report, and makes the directory it goes to. */
  public void write(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, GSON.toJson(report) + "\n");
  }
}
