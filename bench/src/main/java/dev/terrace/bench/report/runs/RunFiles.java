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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the files that results are in. */
final class RunFiles {

  private static final String SUFFIX = ".json";

  private RunFiles() {}

  /**
   * The files among these, and those ending in {@code .json} in the directories among these, each
   * once.
   *
   * @throws RunFileException if one of these is not there
   */
  static List<Path> find(List<Path> places) throws RunFileException {
    Set<Path> files = new LinkedHashSet<>();
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        files.addAll(inDirectory(place));
      } else if (Files.exists(place)) {
        files.add(place.normalize());
      } else {
        throw new RunFileException(place + ": no such file or directory");
      }
    }
    return new ArrayList<>(files);
  }

  private static List<Path> inDirectory(Path directory) throws RunFileException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(entry -> entry.toString().endsWith(SUFFIX) && Files.isRegularFile(entry))
          .map(Path::normalize)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new RunFileException(directory + ": cannot be read: " + e.getMessage(), e);
    }
  }
}
