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
package dev.terrace.bench.pe;

/** The commands of PerformanceEvaluation that are used. */
public enum PeCommand {
  /** Reads random rows, each as likely as the others. */
  RANDOM_READ("randomRead"),
  /** Scans of at most 100 rows from a random one on. */
  SCAN_RANGE_100("scanRange100"),
  /** Scans from a random row on, of up to 120 rows, with a filter that ends them. */
  RANDOM_SEEK_SCAN("randomSeekScan"),
  /** Writes random rows, each with a call of its own. */
  RANDOM_WRITE("randomWrite");

  private final String word;

  PeCommand(String word) {
    this.word = word;
  }

  /** Returns the word for PerformanceEvaluation's command line. */
  String word() {
    return word;
  }
}
