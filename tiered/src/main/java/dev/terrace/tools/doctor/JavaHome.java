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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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

  /** The one of a script, or of the environment, or the one that runs this. */
  static JavaHome of(EnvScript script) {
    String folder =
        script
            .get("JAVA_HOME")
            .or(() -> Optional.ofNullable(System.getenv("JAVA_HOME")))
            .orElse(System.getProperty("java.home"));
    return at(Path.of(folder));
  }

  static JavaHome at(Path folder) {
    try (Stream<String> lines = Files.lines(folder.resolve("release"))) {
      return new JavaHome(
          folder,
          lines
              .map(VERSION::matcher)
              .filter(Matcher::matches)
              .map(matcher -> matcher.group(1))
              .findFirst());
    } catch (IOException e) {
      return new JavaHome(folder, Optional.empty());
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
