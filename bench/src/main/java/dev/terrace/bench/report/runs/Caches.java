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

import dev.terrace.bench.report.chart.Look;
import dev.terrace.bench.workload.CacheKind;
import java.util.Arrays;
import java.util.Optional;

/** Caches by the labels that files have for them. */
final class Caches {

  private Caches() {}

  /** The cache with a label; empty for one that this version does not know. */
  static Optional<CacheKind> kind(String label) {
    return Arrays.stream(CacheKind.values()).filter(kind -> kind.label().equals(label)).findFirst();
  }

  /** Its name for people, or else the label. */
  static String title(String label) {
    return kind(label).map(CacheKind::title).orElse(label);
  }

  static boolean isTerrace(String label) {
    return label.startsWith("terrace");
  }

  /** Whether it is no cache but what no cache can beat. */
  static boolean isBound(String label) {
    return label.equals("floor") || label.startsWith("pread");
  }

  static Look look(String label) {
    return isTerrace(label) ? Look.TERRACE : isBound(label) ? Look.BOUND : Look.PEER;
  }
}
