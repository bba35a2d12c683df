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

import dev.terrace.bench.report.page.Report;
import dev.terrace.bench.report.page.Section;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Turns files into a report: each run becomes a section, and unknown ones a table. */
final class Sections {

  /** The runs that have a section of their own, in the order of the report. */
  private static final List<String> ORDER =
      List.of("cases", "macro", "hit", "put", "churn", "memory", "replay");

  private Sections() {}

  /**
   * Reads files.
   *
   * @throws RunFileException naming the first file that cannot be used
   */
  static Report read(List<Path> files) throws RunFileException {
    List<RunFile> runs = new ArrayList<>();
    for (Path file : files) {
      runs.add(RunFile.read(file));
    }
    runs.sort(
        Comparator.comparingInt(Sections::place)
            .thenComparing(RunFile::name)
            .thenComparing(run -> run.facts().time()));
    List<Section> sections = new ArrayList<>();
    for (RunFile run : runs) {
      sections.add(section(run));
    }
    return new Report(sections);
  }

  private static int place(RunFile run) {
    int place = ORDER.indexOf(run.name());
    return place < 0 ? ORDER.size() : place;
  }

  private static Section section(RunFile run) throws RunFileException {
    return switch (run.name()) {
      case "cases" -> CasesSection.of(run);
      case "macro" -> MacroSection.of(run);
      case "hit" -> HitSection.of(run);
      case "put" -> PutSection.of(run);
      case "churn" -> ChurnSection.of(run);
      case "memory" -> MemorySection.of(run);
      case "replay" -> ReplaySection.of(run);
      default -> GenericSection.of(run);
    };
  }
}
