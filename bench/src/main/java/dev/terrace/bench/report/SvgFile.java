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

/** The charts of a table in a file of their own. */
public final class SvgFile {

  private SvgFile() {}

  /** Draws the chart of a table that has one picture. */
  public static void write(Table table, Path file) throws IOException {
    List<Picture> pictures = pictures(table);
    if (pictures.size() != 1) {
      throw new IllegalArgumentException(table.title() + ": pictures=" + pictures.size());
    }
    Files.writeString(file, pictures.get(0).svg("") + "\n");
  }

  /** Draws the first chart that has one picture. */
  static void writeFirst(List<Result> results, Path file) throws IOException {
    Table table =
        results.stream()
            .flatMap(result -> result.tables().stream())
            .filter(each -> pictures(each).size() == 1)
            .findFirst()
            .orElseThrow(() -> new IOException("no chart that is one picture"));
    write(table, file);
  }

  private static List<Picture> pictures(Table table) {
    return table.charts().stream().flatMap(chart -> Picture.of(table, chart).stream()).toList();
  }
}
