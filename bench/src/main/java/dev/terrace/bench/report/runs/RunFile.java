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

import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.page.RunFacts;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * What a command wrote as JSON.
 *
 * @param name what was run
 * @param facts when, on what and with which settings
 * @param settings the settings, for what has to be computed with them
 * @param body all of it
 */
record RunFile(String name, RunFacts facts, Fields settings, Fields body) {

  private static final String COMMAND = "command";
  private static final String EXCEPTION = "Exception: ";

  /**
   * Reads a file.
   *
   * @throws RunFileException naming the file, if it cannot be read or is none that a command writes
   */
  static RunFile read(Path file) throws RunFileException {
    JsonElement json = parse(file);
    if (!json.isJsonObject() || !json.getAsJsonObject().has("name")) {
      throw new RunFileException(
          file + ": not a result of a terrace command: it must be an object with a 'name'");
    }
    Fields body = new Fields(file + ": report", json.getAsJsonObject());
    Fields absent = new Fields(file + ": report", new JsonObject());
    Fields settings = body.object("settings").orElse(absent);
    Fields machine = body.object("machine").orElse(absent);
    Map<String, String> settingTexts = texts(settings);
    settingTexts.remove(COMMAND);
    RunFacts facts =
        new RunFacts(
            String.valueOf(file.getFileName()),
            body.text("time").orElse("at an unknown time"),
            settings.text(COMMAND),
            texts(machine),
            settingTexts,
            promises(body));
    return new RunFile(body.needText("name"), facts, settings, body);
  }

  private static JsonElement parse(Path file) throws RunFileException {
    try {
      return JsonParser.parseString(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new RunFileException(file + ": no such file", e);
    } catch (CharacterCodingException e) {
      throw new RunFileException(file + ": not a text in UTF-8", e);
    } catch (IOException e) {
      throw new RunFileException(file + ": cannot be read: " + e.getMessage(), e);
    } catch (JsonParseException e) {
      throw new RunFileException(file + ": broken JSON: " + firstLine(e), e);
    }
  }

  /** What is wrong and where; further lines, and the parser's own class names, help nobody. */
  private static String firstLine(Exception e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    int className = message.lastIndexOf(EXCEPTION);
    return className < 0 ? message : message.substring(className + EXCEPTION.length());
  }

  private static List<Target> promises(Fields body) throws RunFileException {
    List<Target> promises = new ArrayList<>();
    for (Fields promise : body.list("targets")) {
      promises.add(
          new Target(
              promise.flag("met").orElseThrow(() -> promise.wrong("met", "true or false")),
              promise.needText("text")));
    }
    return promises;
  }

  private static Map<String, String> texts(Fields fields) {
    Map<String, String> texts = new LinkedHashMap<>();
    fields.entries().forEach(entry -> texts.put(entry.getKey(), text(entry.getValue())));
    return texts;
  }

  private static String text(JsonElement value) {
    if (value.isJsonArray()) {
      return StreamSupport.stream(value.getAsJsonArray().spliterator(), false)
          .map(RunFile::text)
          .collect(Collectors.joining(" "));
    }
    return Fields.isNumber(value)
        ? Numbers.plain(value.getAsDouble())
        : value.isJsonPrimitive() ? value.getAsString() : value.toString();
  }
}
