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
package dev.terrace.hbase.page;

import java.util.List;
import java.util.Locale;

/**
 * A line over time as SVG.
 *
 * @param description for readers who do not see it
 * @param values from 0 to 1, the oldest first; NaN where there is none
 * @param width how many values fit; fewer stand to the right
 */
record Sparkline(String description, List<Double> values, int width) {

  private static final int HEIGHT = 100;

  /** The picture as an element of HTML; 0 is at the bottom, 1 at the top. */
  String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append("<svg role=\"img\" preserveAspectRatio=\"none\" viewBox=\"0 0 ")
        .append(width)
        .append(' ')
        .append(HEIGHT)
        .append("\" aria-label=\"")
        .append(Html.escape(description))
        .append("\"><path class=\"half\" d=\"M0 50H")
        .append(width)
        .append("\"/><path class=\"line\" d=\"");
    boolean drawing = false;
    for (int i = 0; i < values.size(); i++) {
      double value = values.get(i);
      if (Double.isNaN(value)) {
        drawing = false;
        continue;
      }
      double y = HEIGHT * (1 - Math.min(Math.max(value, 0), 1));
      int x = width - values.size() + i;
      svg.append(String.format(Locale.ROOT, "%c%d %.1f", drawing ? 'L' : 'M', x, y));
      drawing = true;
    }
    return svg.append("\"/></svg>").toString();
  }
}
