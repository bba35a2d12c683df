// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.io.FileUtils;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import picocli.CommandLine;

/**
 * The result of a run: time, machine, settings, and figures as tables that describe their own
 * display. One object is printed, written as JSON, and read by a report.
 */
public final class Result {

  static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
  static final String COMMAND = "command";

  private String name = "";
  private String title = "";
  private String about = "";
  private String time = "";
  private JsonObject machine = new JsonObject();
  private JsonObject settings = new JsonObject();
  private final List<Target> targets = new ArrayList<>();
  private final List<Table> tables = new ArrayList<>();

  // For JSON: fields that a file lacks keep these defaults.
  private Result() {}

  /**
   * A result without figures.
   *
   * @param name of the run
   * @param title its heading
   * @param about what was measured, and how to read it
   * @param running the command, whose command line is recorded
   */
  public Result(String name, String title, String about, Machine machine, CommandLine running) {
    this.name = name;
    this.title = title;
    this.about = about;
    this.time = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    this.machine = GSON.toJsonTree(machine.describe()).getAsJsonObject();
    setting(COMMAND, commandLine(running));
  }

  /** The whole command line as typed; the running command is part of it. */
  private static String commandLine(CommandLine running) {
    CommandLine root = running;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    return "bin/terrace " + String.join(" ", root.getParseResult().originalArgs());
  }

  public Result setting(String key, Object value) {
    settings.add(key, GSON.toJsonTree(value));
    return this;
  }

  public Result add(Table table) {
    tables.add(table);
    return this;
  }

  /** Adds Terrace's promises about these figures. */
  public Result addTargets(List<Target> promises) {
    targets.addAll(promises);
    return this;
  }

  /** Writes it as JSON, and creates the directory if needed. */
  public void write(Path file) throws IOException {
    FileUtils.writeStringToFile(file.toFile(), GSON.toJson(this) + "\n", StandardCharsets.UTF_8);
  }

  public String name() {
    return name;
  }

  String title() {
    return title.isEmpty() ? name : title;
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

  public List<Target> targets() {
    return targets;
  }

  public List<Table> tables() {
    return tables;
  }

  /**
   * A promise of Terrace, compared with the measurement.
   *
   * @param met whether the promise was kept
   * @param text the figure, a comma, and the required value
   */
  public record Target(boolean met, String text) {

    /** A promise with a text formatted as by {@link String#format}. */
    public static Target of(boolean met, String format, Object... arguments) {
      return new Target(met, String.format(Locale.ROOT, format, arguments));
    }

    /** Whether there are promises and all were kept. */
    public static boolean allMet(List<Target> targets) {
      return !targets.isEmpty() && targets.stream().allMatch(Target::met);
    }

    public static void print(List<Target> targets, PrintWriter out) {
      for (Target target : targets) {
        out.printf("%s  %s%n", target.met() ? "met   " : "MISSED", target.text());
      }
      out.flush();
    }
  }

  /**
   * Returns each of these files once, and in place of directories their {@code .json} files.
   *
   * @throws IOException naming the first one that does not exist
   */
  static List<Path> find(List<Path> places) throws IOException {
    Set<Path> files = new LinkedHashSet<>();
    for (Path place : places) {
      if (!Files.exists(place)) {
        throw new IOException(place + ": no such file or directory");
      }
      Collection<File> found =
          Files.isDirectory(place)
              ? FileUtils.listFiles(place.toFile(), new String[] {"json"}, false)
              : List.of(place.toFile());
      found.stream().map(file -> file.toPath().normalize()).sorted().forEach(files::add);
    }
    return List.copyOf(files);
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read or no command has written it; the message names it and
   *     gives the reason, on one line
   */
  public static Result read(Path file) throws IOException {
    try {
      Result result = GSON.fromJson(Files.readString(file), Result.class);
      if (result == null || result.name.isEmpty()) {
        throw new IOException(
            file
                + ": not a result of this version's commands: it has no 'name'; run the command"
                + " again, or move the file away");
      }
      return result;
    } catch (JsonParseException e) {
      throw new IOException(file + ": broken JSON: " + firstLine(e), e);
    }
  }

  /** The error and its position, without further lines or the parser's class names. */
  private static String firstLine(Exception e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return message.replaceFirst(".*Exception: ", "");
  }
}
