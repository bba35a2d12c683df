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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The charts of a table in a file of their own. */
public final class SvgFile {

  private static final String NONE = "no chart that is one picture";

  private SvgFile() {}

  /** Draws the chart of a table that has one picture. */
  public static void write(Table table, Path file) throws IOException {
    Files.writeString(file, drawn(table).orElseThrow(() -> new IOException(NONE)));
  }

  /** Draws the first chart that has one picture. */
  static void writeFirst(List<Result> results, Path file) throws IOException {
    Files.writeString(
        file,
        results.stream()
            .flatMap(result -> result.tables().stream())
            .flatMap(table -> drawn(table).stream())
            .findFirst()
            .orElseThrow(() -> new IOException(NONE)));
  }

  private static Optional<String> drawn(Table table) {
    return table.charts().stream()
        .map(chart -> Map.entry(chart.title(), Picture.of(table, chart)))
        .filter(chart -> chart.getValue().size() == 1)
        .findFirst()
        .map(chart -> chart.getValue().get(0).file(chart.getKey()));
  }
}
