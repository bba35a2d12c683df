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
package dev.terrace.tools.doctor;

import dev.terrace.hbase.settings.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Java of a region server.
 *
 * @param folder its home
 * @param version as its file {@code release} has it; empty if that cannot be read
 */
record JavaHome(Path folder, Optional<String> version) {

  private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"([^\"]+)\"");
  private static final Pattern FEATURE = Pattern.compile("(?:1\\.)?(\\d{1,4}).*");

  /**
   * Options that a JVM can be asked about: they take no memory, and write, open and start nothing.
   */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "-XX:[+-](?!\\w*(PreTouch|Pages|Log|Print|Dump|Record|Start|Save|CDS|Archive))\\w+"
              + "|-XX:(?!\\w*(Size|Heap|Memory|RAM|Limit))\\w+=\\d+");

  /** Lines that say only that the JVM did not start, or what does not keep it from it. */
  private static final Pattern NO_REASON = Pattern.compile("Error:? .*|.* warning: .*");

  /** The one of a script, or of the environment, or the one that runs this. */
  static JavaHome of(EnvScript script) {
    Path folder = Path.of(script.get("JAVA_HOME").orElse(System.getProperty("java.home")));
    try (Stream<String> lines = Files.lines(folder.resolve("release"))) {
      return new JavaHome(
          folder,
          lines
              .filter(line -> script.isKnown())
              .map(VERSION::matcher)
              .filter(Matcher::matches)
              .map(matcher -> matcher.group(1))
              .findFirst());
    } catch (IOException e) {
      return new JavaHome(folder, Optional.empty());
    }
  }

  /** Why the JVM does not start with the options of a script. */
  List<Finding> findings(EnvScript script, JvmSizes sizes) {
    if (!script.isKnown()) {
      return List.of();
    }
    if (script.get("JAVA_HOME").isEmpty()) {
      return List.of(
          Finding.question(
              "JAVA_HOME is set neither in hbase-env.sh nor here",
              "bin/hbase does not start without it.",
              "export it in hbase-env.sh"));
    }
    if (!Files.isExecutable(binary())) {
      return List.of(
          Finding.error(
              "JAVA_HOME=" + folder + " has no bin/java",
              "bin/hbase starts the server with it.",
              "set JAVA_HOME in hbase-env.sh to Java 17, 21 or 25"));
    }
    return refusal(sizes.options()).stream()
        .map(
            reason ->
                Finding.error(
                    "this Java does not start with the options of hbase-env.sh: " + reason,
                    "Options change between versions of Java.",
                    "remove the option from HBASE_OPTS, SERVER_GC_OPTS or HBASE_REGIONSERVER_OPTS"))
        .toList();
  }

  private Path binary() {
    return folder.resolve("bin").resolve("java");
  }

  /** What the JVM says if it does not start with some options. */
  private Optional<String> refusal(List<String> options) {
    List<String> command =
        new ArrayList<>(options.stream().filter(HARMLESS.asMatchPredicate()).toList());
    if (command.isEmpty()) {
      return Optional.empty();
    }
    command.add(0, binary().toString());
    command.add("-version");
    try {
      ProcessBuilder java = new ProcessBuilder(command).redirectErrorStream(true);
      java.environment().keySet().removeIf(name -> name.endsWith("_OPTIONS"));
      ShortCommand.Result result = ShortCommand.run(java);
      return result.exitValue() == 0
          ? Optional.empty()
          : result.output().lines().filter(line -> !NO_REASON.matcher(line).matches()).findFirst();
    } catch (IOException | TimeoutException e) {
      // Nothing is known of the options then.
      return Optional.empty();
    }
  }

  /** The feature number, such as 17; 0 if it is unknown. */
  int feature() {
    Matcher matcher = FEATURE.matcher(version.orElse(""));
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  @Override
  public String toString() {
    return version.orElse("of unknown version") + ", in " + folder;
  }
}
