// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process that has a path of a cache open.
 *
 * @param pid its id
 * @param command its class and arguments; "a process" if that is not known
 * @param conf the first entry of its class path, which {@code bin/hbase} makes the folder of its
 *     configuration
 */
record PathHolder(long pid, String command, Optional<Path> conf) {

  private static final List<String> CLASS_PATH = List.of("-cp", "-classpath", "--class-path");
  private static final String VARIABLE = "CLASSPATH=";
  private static final int MOST_LETTERS = 100;

  /** The process with an id, as Linux tells of it. */
  static PathHolder of(long pid) {
    List<String> arguments = words(pid, "cmdline");
    List<String> command = new ArrayList<>();
    Optional<String> classPath =
        words(pid, "environ").stream()
            .filter(word -> word.startsWith(VARIABLE))
            .map(word -> word.substring(VARIABLE.length()))
            .findFirst();
    for (int i = 1; i < arguments.size(); i++) {
      if (command.isEmpty() && CLASS_PATH.contains(arguments.get(i)) && i + 1 < arguments.size()) {
        i++;
        classPath = Optional.of(arguments.get(i));
      } else if (!command.isEmpty() || !arguments.get(i).startsWith("-")) {
        command.add(arguments.get(i));
      }
    }
    return new PathHolder(
        pid,
        command.isEmpty() ? "a process" : shortened(String.join(" ", command)),
        classPath.map(path -> Path.of(path.split(":", 2)[0])));
  }

  /** Whether it runs with a folder of configuration: then it is the server to be restarted. */
  boolean runsWith(Path folder) {
    try {
      return conf.isPresent() && Files.isSameFile(conf.get(), folder);
    } catch (IOException e) {
      return false;
    }
  }

  private static String shortened(String text) {
    return text.length() <= MOST_LETTERS ? text : text.substring(0, MOST_LETTERS) + "...";
  }

  private static List<String> words(long pid, String file) {
    try {
      Path path = Path.of("/proc", Long.toString(pid), file);
      return Stream.of(Files.readString(path, StandardCharsets.ISO_8859_1).split("\0", -1))
          .filter(word -> !word.isEmpty())
          .toList();
    } catch (IOException e) {
      // It is another user's, or has ended.
      return List.of();
    }
  }

  @Override
  public String toString() {
    return command + ", pid=" + pid;
  }
}
