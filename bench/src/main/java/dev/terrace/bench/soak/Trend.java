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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How a figure of one process went: its level in the second and in the last third of its life. The
 * first third is for caches and pools to fill.
 */
record Trend(String server, long pid, Figure figure, double middle, double last) {

  /** Fewer samples than that prove nothing. */
  static final int LEAST_SAMPLES = 60;

  /** Returns the trends of all processes that lived long enough. */
  static List<Trend> of(List<Sample> samples) {
    Map<Long, List<Sample>> lives = new LinkedHashMap<>();
    for (Sample sample : samples) {
      lives.computeIfAbsent(sample.pid(), pid -> new ArrayList<>()).add(sample);
    }
    return lives.values().stream()
        .filter(life -> life.size() >= LEAST_SAMPLES)
        .flatMap(life -> Arrays.stream(Figure.values()).map(figure -> of(life, figure)))
        .toList();
  }

  private static Trend of(List<Sample> life, Figure figure) {
    double[] values = life.stream().mapToDouble(sample -> sample.figures().get(figure)).toArray();
    int third = values.length / 3;
    int lastStart = values.length - third;
    return new Trend(
        life.get(0).server(),
        life.get(0).pid(),
        figure,
        figure.level(Arrays.copyOfRange(values, lastStart - third, lastStart)),
        figure.level(Arrays.copyOfRange(values, lastStart, values.length)));
  }

  boolean isFlat() {
    return last - middle <= figure.mostGrowth();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s, process %d: %s: %.1f, then %.1f, at most %.1f more",
        server,
        pid,
        figure.title(),
        figure.plotted(middle),
        figure.plotted(last),
        figure.plotted(figure.mostGrowth()));
  }
}
