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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import picocli.CommandLine;

/**
 * What came out of a run: when, on what, with which settings, and the figures as tables that say
 * themselves how they are shown. The same object is what is printed, what is written as JSON, and
 * what a report reads.
 */
public final class Result {

  static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
  static final String COMMAND = "command";
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./~-]+");

  private String name = "";
  private String title = "";
  private String about = "";
  private String time = "";
  private JsonObject machine = new JsonObject();
  private JsonObject settings = new JsonObject();
  private final List<Headline> headlines = new ArrayList<>();
  private final List<Target> targets = new ArrayList<>();
  private final List<Table> tables = new ArrayList<>();
  private final JsonObject details = new JsonObject();
  private final transient JsonObject figures = new JsonObject();

  // For JSON: fields that a file lacks keep these defaults.
  private Result() {}

  /**
   * A result without figures.
   *
   * @param name of what was run
   * @param title the same for people
   * @param about what was measured, and how to read it
   * @param running the command, whose line is noted
   */
  public Result(String name, String title, String about, Machine machine, CommandLine running) {
    this.name = name;
    this.title = title;
    this.about = about;
    this.time = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    this.machine = GSON.toJsonTree(machine.describe()).getAsJsonObject();
    setting(COMMAND, commandLine(running));
  }

  /**
   * The command line that was typed, as a shell takes it.
   *
   * @param running the command that runs, below {@code terrace}
   */
  static String commandLine(CommandLine running) {
    CommandLine root = running;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    List<String> words = new ArrayList<>(List.of("bin/terrace"));
    if (!root.getCommandName().equals("terrace")) {
      words.add(root.getCommandName());
    }
    words.addAll(root.getParseResult().originalArgs());
    return words.stream()
        .map(word -> PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  /** Notes a setting. */
  public Result setting(String key, Object value) {
    settings.add(key, GSON.toJsonTree(value));
    return this;
  }

  /** Adds figures. */
  public Result add(Table table) {
    tables.add(table);
    return this;
  }

  /** Adds what is shown on top of a report. */
  public Result add(Headline headline) {
    headlines.add(headline);
    return this;
  }

  /** Adds what Terrace promises of these figures. */
  public Result addTargets(List<Target> promises) {
    targets.addAll(promises);
    return this;
  }

  /** Adds what programs may want and no report shows, such as each single run. */
  public Result detail(String key, Object value) {
    details.add(key, GSON.toJsonTree(value));
    return this;
  }

  /** Adds a figure for programs at the top of the JSON. */
  public Result figure(String key, Object value) {
    figures.add(key, GSON.toJsonTree(value));
    return this;
  }

  /** Writes it as JSON, and makes the directory it goes to. */
  public void write(Path file) throws IOException {
    JsonObject json = GSON.toJsonTree(figures).getAsJsonObject();
    GSON.toJsonTree(this).getAsJsonObject().asMap().forEach(json::add);
    FileUtils.writeStringToFile(file.toFile(), GSON.toJson(json) + "\n", StandardCharsets.UTF_8);
  }

  /** The name of what was run. */
  public String name() {
    return name;
  }

  String title() {
    return title.isEmpty() ? name : title;
  }

  /** The title and when it was, since the same thing may have been run several times. */
  String titleWithTime() {
    return title() + ", " + time();
  }

  String about() {
    return about;
  }

  String time() {
    return time.replace('T', ' ').replace("Z", " UTC");
  }

  Optional<String> command() {
    return Optional.ofNullable(settings.get(COMMAND)).map(command -> command.getAsString());
  }

  JsonObject machine() {
    return machine;
  }

  JsonObject settings() {
    return settings;
  }

  List<Headline> headlines() {
    return headlines;
  }

  /** The promises that the figures are compared with. */
  public List<Target> targets() {
    return targets;
  }

  /** The figures. */
  public List<Table> tables() {
    return tables;
  }

  /** The goal of a headline: its own, or else all promises of the run. */
  Optional<Target> goal(Headline headline) {
    long met = targets.stream().filter(Target::met).count();
    Target all =
        Target.of(met == targets.size(), "%d of %d promises of this run", met, targets.size());
    return headline.promised().or(() -> Optional.of(all).filter(goal -> !targets.isEmpty()));
  }
}
