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
package dev.terrace.bench.soak;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures of a region server at a time.
 *
 * @param pid of its process: after a restart another one
 * @param seconds since the soak began
 */
record Sample(String server, long pid, double seconds, Map<Figure, Double> figures) {

  Sample {
    figures = Map.copyOf(figures);
  }

  /** Returns the first line of a file of samples. */
  static String csvHeader() {
    return Stream.concat(
            Stream.of("server", "pid", "seconds"), Arrays.stream(Figure.values()).map(Figure::key))
        .collect(Collectors.joining(","));
  }

  /** Returns its line. */
  String csv() {
    return Stream.concat(
            Stream.of(server, Long.toString(pid), String.format(Locale.ROOT, "%.1f", seconds)),
            Arrays.stream(Figure.values())
                .map(figure -> String.format(Locale.ROOT, "%.0f", figures.get(figure))))
        .collect(Collectors.joining(","));
  }
}
