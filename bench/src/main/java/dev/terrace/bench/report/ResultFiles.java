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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** Finds the files that results are in, and reads them. */
public final class ResultFiles {
  private static final String SUFFIX = ".json";

  private ResultFiles() {}

  /**
   * The files among these, and those ending in {@code .json} in the directories among these, each
   * once.
   *
   * @throws IOException naming the one that is not there
   */
  static List<Path> find(List<Path> places) throws IOException {
    Set<Path> files = new LinkedHashSet<>();
    for (Path place : places) {
      if (!Files.exists(place)) {
        throw new IOException(place + ": no such file or directory");
      }
      if (Files.isDirectory(place)) {
        try (Stream<Path> entries = Files.list(place)) {
          entries
              .filter(entry -> entry.toString().endsWith(SUFFIX) && Files.isRegularFile(entry))
              .map(Path::normalize)
              .sorted()
              .forEach(files::add);
        }
      } else {
        files.add(place.normalize());
      }
    }
    return List.copyOf(files);
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read or is none that a command writes; the message names it
   *     and gives the reason, on one line
   */
  public static Result read(Path file) throws IOException {
    try {
      JsonElement json = JsonParser.parseString(Files.readString(file));
      if (!json.isJsonObject()
          || !json.getAsJsonObject().keySet().containsAll(List.of("name", "tables"))) {
        throw new IllegalArgumentException(
            "not a result of this version's commands: it must be an object with a 'name' and"
                + " 'tables'; run the command again, or move the file away");
      }
      Result result = Result.GSON.fromJson(json, Result.class);
      result.tables().forEach(Table::check);
      return result;
    } catch (JsonParseException e) {
      throw new IOException(file + ": broken JSON: " + firstLine(e), e);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + firstLine(e), e);
    }
  }

  /** The error and its place, without further lines and the parser's own class names. */
  private static String firstLine(Exception e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return message.replaceFirst(".*Exception: ", "");
  }
}
