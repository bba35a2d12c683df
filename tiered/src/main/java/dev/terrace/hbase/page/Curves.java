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

import dev.terrace.tiered.plan.LiveCurves.LiveOutlook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Draws hit ratios over time, and over the sizes of the tiers. */
final class Curves {

  private static final int HEIGHT = 100;

  /** Half an hour. Lines of few points stand to the right. */
  private static final int LEAST_POINTS = 60;

  private static final double MINUTES_A_POINT = 0.5;

  /** A change of the misses by less is not worth a word. */
  private static final double WORTH_IT = 0.1;

  private static final double NEXT_TO_NOTHING = 0.001;

  private Curves() {}

  /** Lines over time, each from 0 to 1, the oldest first; NaN where there is none. */
  static void overTime(Html page, Map<String, List<Double>> lines) {
    int points =
        Math.max(LEAST_POINTS, lines.values().stream().mapToInt(List::size).max().orElse(0));
    page.add("<figure class=\"time\"><figcaption>Hit ratio of each last minute <span>");
    lines.forEach(
        (name, values) ->
            page.add(
                "<b class=\"key %s\">%s %s</b> ",
                style(name),
                name,
                Shown.percent(values.isEmpty() ? Double.NaN : values.get(values.size() - 1))));
    page.add(
        "</span></figcaption><div class=\"plot\"><div class=\"scale\"><span>100 %%</span>"
            + "<span>50 %%</span><span>0 %%</span></div>"
            + "<svg aria-hidden=\"true\" preserveAspectRatio=\"none\" viewBox=\"0 0 %1$s %2$s\">"
            + "<path class=\"grid\" d=\"M0 0h%1$sM0 50h%1$sM0 100h%1$s\"/>",
        points - 1, HEIGHT);
    List<String> names = new ArrayList<>(lines.keySet());
    for (int i = names.size() - 1; i >= 0; i--) {
      List<Double> values = lines.get(names.get(i));
      page.add("<path class=\"%s\" d=\"%s\"/>", style(names.get(i)), line(values, points));
    }
    page.add(
        "</svg></div><div class=\"ends-of-time\"><span>%s ago</span><span>now</span></div>"
            + "</figure>\n",
        Shown.period(Duration.ofSeconds(Math.round(points * MINUTES_A_POINT * 60))));
  }

  private static String style(String line) {
    return line.equals(History.WHOLE) ? "whole" : line;
  }

  /** The points of a line as a path, at the right of so many. */
  static String line(List<Double> values, int points) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < values.size(); i++) {
      double value = values.get(i);
      if (!Double.isNaN(value)) {
        path.append(drawing ? 'L' : 'M').append(points - values.size() + i).append(' ');
        path.append(String.format(Locale.ROOT, "%.1f", y(value)));
        // A point alone shows as a dot.
        path.append(drawing ? "" : "h0");
      }
      drawing = !Double.isNaN(value);
    }
    return path.toString();
  }

  private static double y(double share) {
    return HEIGHT * (1 - Math.min(Math.max(share, 0), 1));
  }

  /** One simulated size. */
  private record Size(String factor, long bytes, double hitRatio, long ssdBytesADay) {}

  /**
   * A curve for each tier.
   *
   * @param outlooks as {@link LiveOutlook#asMap} has them; empty if there are none
   */
  static void whatIf(Html page, Map<String, Map<String, Double>> outlooks) {
    Map<String, Double> sample = outlooks.get(LiveOutlook.SAMPLE);
    if (sample == null) {
      page.add(
          "<p>What other sizes would bring is told 40 seconds after a start and ten after a change of"
              + " a size, once something was read, if there is a DRAM tier and hbase.terrace.whatif.</p>\n");
      return;
    }
    Map<String, List<Size>> tiers = new LinkedHashMap<>();
    outlooks.forEach(
        (name, figures) -> {
          if (figures != sample) {
            String[] words = name.split(" times ", 2);
            tiers
                .computeIfAbsent(words[0], added -> new ArrayList<>())
                .add(
                    new Size(
                        words[1],
                        figures.get("sizeBytes").longValue(),
                        figures.get("hitRatio"),
                        figures.get("ssdBytesADay").longValue()));
          }
        });
    advise(page, tiers, sample.get("hitRatio"));
    double least =
        tiers.values().stream().flatMap(List::stream).mapToDouble(Size::hitRatio).min().orElse(0);
    page.add("<div class=\"sizes\">\n");
    tiers.forEach((tier, sizes) -> curve(page, tier, sizes, least));
    page.add(
        "</div><p class=\"soft\">Hit ratio of all tiers with another size of one of them, in the"
            + " last %s: simulated on 1 block in %s%s. Today's sizes have the hit ratio that they"
            + " had in fact.</p>\n",
        Shown.period(Duration.ofSeconds(Math.round(sample.get("seconds")))),
        Shown.count(sample.get("oneBlockIn").longValue()),
        sample.get("lostAccesses") == 0
            ? ""
            : ", without "
                + Shown.count(sample.get("lostAccesses").longValue())
                + " reads that were lost");
  }

  /** What another size would be worth: the tier that saves most, and one that saves nothing. */
  private static void advise(Html page, Map<String, List<Size>> tiers, double today) {
    String best = null;
    double most = today + WORTH_IT * (1 - today);
    List<String> idle = new ArrayList<>();
    for (Map.Entry<String, List<Size>> tier : tiers.entrySet()) {
      for (Size size : tier.getValue()) {
        if (size.factor.equals("2") && size.hitRatio >= most && today < 1) {
          most = size.hitRatio;
          best =
              String.format(
                  Locale.ROOT,
                  "Twice the %s (%s) would hit %s instead of %s: %.0f %% fewer reads of HFiles.",
                  tier.getKey(),
                  Shown.bytes(size.bytes),
                  Shown.percent(size.hitRatio),
                  Shown.percent(today),
                  100 * (size.hitRatio - today) / (1 - today));
        } else if (size.factor.equals("1/2") && today - size.hitRatio < NEXT_TO_NOTHING) {
          idle.add(tier.getKey());
        }
      }
    }
    page.add(
        "<p class=\"advice\">%s%s</p>\n",
        best == null
            ? "No tier of twice its size would spare a tenth of the reads of HFiles."
            : best,
        idle.isEmpty()
            ? ""
            : " Half the " + String.join(", or half the ", idle) + " would do as well.");
  }

  private static void curve(Html page, String tier, List<Size> sizes, double least) {
    boolean writes = sizes.stream().anyMatch(size -> size.ssdBytesADay > 0);
    page.add(
        "<figure class=\"%s\"><figcaption><b>%s</b> size, hit ratio%s</figcaption>",
        tier, tier, writes ? ", written to SSD a day" : "");
    page.add(
        "<svg aria-hidden=\"true\" preserveAspectRatio=\"none\" viewBox=\"0 0 %s %s\">"
            + "<path class=\"%s\" d=\"",
        20 * sizes.size(), HEIGHT, tier);
    double range = Math.max(1e-9, 1 - least);
    StringBuilder dots = new StringBuilder();
    for (int i = 0; i < sizes.size(); i++) {
      double y = y((sizes.get(i).hitRatio - least) / range);
      String point = String.format(Locale.ROOT, "%d %.1f", 20 * i + 10, y);
      page.add("%s%s", i == 0 ? "M" : "L", point);
      dots.append('M').append(point).append("h0");
    }
    page.add("\"/><path class=\"dots %s\" d=\"%s\"/></svg><table><tbody>", tier, dots);
    row(page, sizes, size -> Shown.bytes(size.bytes));
    row(page, sizes, size -> Shown.percent(size.hitRatio));
    if (writes) {
      row(page, sizes, size -> Shown.bytes(size.ssdBytesADay));
    }
    page.add("</tbody></table></figure>\n");
  }

  private static void row(Html page, List<Size> sizes, Function<Size, String> cell) {
    page.add("<tr>");
    sizes.forEach(
        size ->
            page.add(
                size.factor.equals("1") ? "<td class=\"today\">%s</td>" : "<td>%s</td>",
                cell.apply(size)));
    page.add("</tr>");
  }
}
