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
package dev.terrace.bench.report.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * How wide a text is at most, so that a chart can be laid out without knowing the reader's fonts.
 */
final class TextWidth {

  private static final String NARROW = " .,:;'|!()[]/ijltfrI-";
  private static final String WIDE = "mwMW%@";

  /** The room that a chart has on the smallest phones. */
  static final double NARROWEST_PIXELS = 310;

  private TextWidth() {}

  /** The width in pixels of a text in a usual sans-serif font. */
  static double ofText(String text, double fontSizePixels) {
    double ems = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (NARROW.indexOf(c) >= 0) {
        ems += 0.4;
      } else if (WIDE.indexOf(c) >= 0) {
        ems += 0.98;
      } else {
        ems += Character.isUpperCase(c) ? 0.74 : 0.64;
      }
    }
    return ems * fontSizePixels;
  }

  /** Breaks a text between words into lines of at most a width; a longer word stays whole. */
  static List<String> lines(String text, double fontSizePixels, double widthPixels) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (!line.isEmpty() && ofText(longer, fontSizePixels) > widthPixels) {
        lines.add(line.toString());
        line.setLength(0);
        line.append(word);
      } else {
        line.setLength(0);
        line.append(longer);
      }
    }
    lines.add(line.toString());
    return lines;
  }
}
