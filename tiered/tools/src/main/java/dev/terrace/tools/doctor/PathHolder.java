// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import dev.terrace.region.folder.ReadOnlyDevice;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process that has a path of a cache open. */
final class PathHolder {

  private static final String CLASS_PATH = "CLASSPATH=";
  private static final Pattern CLASS_PATH_OPTION = Pattern.compile("-cp|-classpath|--class-path");

  /** Options of {@code java} whose value is the next word. */
  private static final Pattern WITH_VALUE =
      Pattern.compile(CLASS_PATH_OPTION + "|-p|--(?!enable-preview)[^=]+");

  private static final int MAX_LETTERS = 100;

  private final Path process;

  /** The main class and its arguments; the whole command of a program that is not Java. */
  private final String command;

  private final String classPath;

  private PathHolder(long pid) {
    process = Path.of("/proc", Long.toString(pid));
    List<String> words = words("cmdline");
    String found =
        words("environ").stream()
            .filter(word -> word.startsWith(CLASS_PATH))
            .map(word -> word.substring(CLASS_PATH.length()))
            .findFirst()
            .orElse("");
    int main = 0;
    if (!words.isEmpty() && Path.of(words.get(0)).endsWith("java")) {
      for (main = 1; main < words.size() && words.get(main).startsWith("-"); main++) {
        String option = words.get(main);
        if (WITH_VALUE.matcher(option).matches() && main + 1 < words.size()) {
          main++;
          found = CLASS_PATH_OPTION.matcher(option).matches() ? words.get(main) : found;
        }
      }
    }
    classPath = found;
    command = String.join(" ", words.subList(Math.min(main, words.size()), words.size()));
  }

  /** The process that has locked a path, if there is one. */
  static Optional<PathHolder> of(Path path) {
    OptionalLong pid = ReadOnlyDevice.holder(path);
    return pid.isPresent() ? Optional.of(new PathHolder(pid.getAsLong())) : Optional.empty();
  }

  /** The words of a file, which are empty if the process is another user's, or has ended. */
  private List<String> words(String file) {
    try {
      String all = Files.readString(process.resolve(file), StandardCharsets.ISO_8859_1);
      return Stream.of(all.split("\0", -1)).filter(word -> !word.isEmpty()).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Whether it runs with a configuration folder: then it is the server to be restarted. HBase reads
   * the first {@code hbase-site.xml} of the class path.
   */
  boolean runsWith(Path folder) {
    try {
      Path directory = process.resolve("cwd").toRealPath();
      Optional<Path> conf =
          Stream.of(classPath.split(File.pathSeparator, -1))
              .map(directory::resolve)
              .filter(entry -> Files.exists(entry.resolve("hbase-site.xml")))
              .findFirst();
      return conf.isPresent() && Files.isSameFile(conf.get(), folder);
    } catch (IOException e) {
      return false;
    }
  }

  /** Its class and arguments, and its id. */
  @Override
  public String toString() {
    String shown =
        command.length() <= MAX_LETTERS ? command : command.substring(0, MAX_LETTERS) + "...";
    return (shown.isEmpty() ? "a process" : shown) + ", pid=" + process.getFileName();
  }
}
