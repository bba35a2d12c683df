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
package dev.terrace.bench.versions;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program to run over an HBase.
 *
 * @param name its name, also of its log
 * @param command its words
 * @param shown what it says at its end of what it checked; each group is a number
 * @param cell what the table has of it, with a place for each group
 */
record Program(String name, List<String> command, Pattern shown, String cell) {

  /** HBase itself cannot start here, with Terrace or without. */
  private static final Pattern CANNOT_START =
      Pattern.compile("Hadoop \\S+ does not start on Java \\d+");

  Program {
    command = List.copyOf(command);
  }

  /** Returns what the table has of a run that ended well, or nothing if it does not show that. */
  Optional<String> cell(String output) {
    Matcher found = shown.matcher(output);
    if (!found.find()) {
      return Optional.empty();
    }
    Object[] numbers = new Object[found.groupCount()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = found.group(i + 1);
    }
    return Optional.of(String.format(cell, numbers));
  }

  /** Returns why HBase itself cannot start, if that is what a program ended with. */
  static Optional<String> cannotStart(String output) {
    Matcher found = CANNOT_START.matcher(output);
    return found.find() ? Optional.of(found.group()) : Optional.empty();
  }
}
