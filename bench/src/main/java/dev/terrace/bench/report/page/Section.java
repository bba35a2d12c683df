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
package dev.terrace.bench.report.page;

import java.util.List;

/**
 * What a report says of one run.
 *
 * @param title what was run
 * @param about what was measured and how to read it
 * @param facts where the figures come from
 * @param headlines its contribution to the top of the report
 * @param parts charts, tables and remarks
 */
public record Section(
    String title, String about, RunFacts facts, List<Headline> headlines, List<Part> parts) {

  /** Copies the lists. */
  public Section {
    headlines = List.copyOf(headlines);
    parts = List.copyOf(parts);
  }

  /** The title and when it was, since the same thing may have been run several times. */
  String titleWithTime() {
    return title + ", " + facts.time().replace('T', ' ').replace("Z", " UTC");
  }
}
