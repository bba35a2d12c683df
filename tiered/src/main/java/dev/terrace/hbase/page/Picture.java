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

import dev.terrace.api.PathStats;
import dev.terrace.api.TierStats;
import dev.terrace.tiered.MoveStats;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Draws where lookups end, the tiers with their paths, and what moves between them. */
final class Picture {

  private final Span minute;
  private final Instant now;
  private final List<String> names;

  /**
   * A picture of the last minute.
   *
   * @param minute it ends now
   */
  Picture(Span minute) {
    this.minute = minute;
    this.now = minute.to().at();
    this.names = new ArrayList<>(minute.to().tiers().keySet());
  }

  void draw(Html page) {
    page.add("<section aria-labelledby=\"worth\"><h2 id=\"worth\">Is it worth its money?</h2>\n");
    tiles(page);
    ends(page);
    page.add("<ol class=\"tiers\">\n");
    minute
        .to()
        .tiers()
        .forEach(
            (name, stats) -> {
              tier(page, name, stats);
              moves(page, names.indexOf(name));
            });
    page.add("<li class=\"files\"><h3>HFiles</h3><p>");
    if (minute.lookups() == 0) {
      page.add("Nothing was read in the last minute.");
    } else {
      page.add(
          "%s of the lookups, %s a second, miss all tiers.",
          Shown.percent(1 - minute.hitRatio()),
          Shown.rate(minute.lookups() * (1 - minute.hitRatio()) / minute.seconds()));
    }
    page.add("</p></li></ol></section>\n");
  }

  private void tiles(Html page) {
    Span whole = new Span(new Span.Moment(now, Map.of(), List.of()), minute.to());
    page.add("<dl class=\"tiles\">");
    tile(
        page,
        "hit ratio",
        Shown.percent(minute.hitRatio()),
        "since the start " + Shown.percent(whole.hitRatio()));
    tile(page, "time of a hit", Shown.nanos(minute.hitNanos()), "the mean of a sample");
    tile(
        page,
        "lookups a second",
        Shown.rate(minute.lookups() / minute.seconds()),
        "since the start " + Shown.count(whole.lookups()));
    page.add("</dl>\n");
  }

  private static void tile(Html page, String name, String value, String beside) {
    page.add("<div><dt>%s</dt><dd>%s<small>%s</small></dd></div>", name, value, beside);
  }

  /** A bar of the lookups, by the tier that served them. */
  private void ends(Html page) {
    if (minute.lookups() == 0) {
      return;
    }
    page.add("<div class=\"ends\" role=\"img\" aria-label=\"Where lookups ended: ");
    names.forEach(name -> page.add("%s %s, ", name, Shown.percent(minute.share(name))));
    page.add("missed %s\">", Shown.percent(1 - minute.hitRatio()));
    names.forEach(name -> end(page, name, minute.share(name)));
    end(page, "missed", 1 - minute.hitRatio());
    page.add("</div>\n");
  }

  private static void end(Html page, String name, double share) {
    page.add("<i class=\"%s\" style=\"flex-grow:%s\">", name, share);
    if (share >= 0.12) {
      page.add("%s <span>%s</span>", name, Shown.percent(share));
    }
    page.add("</i>");
  }

  private void tier(Html page, String name, TierStats stats) {
    TierStats.Space space = stats.space();
    String fill = Shown.percent((double) space.usedBytes() / space.capacityBytes());
    page.add(
        "<li class=\"tier %s\"><h3>%s <small>%s", name, name, Shown.bytes(space.capacityBytes()));
    double smaller = stats.writes().compressionRatio();
    if (smaller > 1.005) {
      page.add(", blocks %s times smaller", Shown.rate(smaller));
    }
    page.add(
        "</small></h3><div class=\"bar\" role=\"img\" aria-label=\"%s full\"><i style=\"width:%s\">"
            + "</i></div><dl>",
        fill, fill.replace(" ", ""));
    figure(page, "full", fill);
    figure(page, "blocks", Shown.count(space.blocks()));
    figure(page, "of all lookups", Shown.percent(minute.share(name)));
    figure(page, "hit ratio", Shown.percent(minute.hitRatio(name)));
    figure(page, "median hit", Shown.nanos(stats.reads().hitNanos().p50()));
    figure(page, "99 % within", Shown.nanos(stats.reads().hitNanos().p99()));
    page.add("</dl>");
    paths(page, name, stats.paths());
    page.add("</li>\n");
  }

  private static void figure(Html page, String name, String value) {
    page.add("<div><dt>%s</dt><dd>%s</dd></div>", name, value);
  }

  private void paths(Html page, String tier, List<PathStats> paths) {
    if (paths.isEmpty()) {
      return;
    }
    page.add("<ul class=\"paths\">");
    for (PathStats path : paths) {
      PathStats.State state = path.now().state();
      page.add(
          "<li><b class=\"state %s\">%s</b> <code>%s</code><span>%s of %s",
          level(state),
          state.words(),
          path.path(),
          Shown.bytes(path.space().usedBytes()),
          Shown.bytes(path.space().sizeBytes()));
      mean(page, "a read", minute.nanos(tier, path, PathStats::reads));
      mean(page, "a write", minute.nanos(tier, path, PathStats::writes));
      if (path.errors() > 0) {
        page.add(", %s errors", Shown.count(path.errors()));
      }
      if (state != PathStats.State.IN_SERVICE) {
        page.add(", since %s", Shown.time(path.now().since(), now));
      }
      page.add("</span></li>");
    }
    page.add("</ul>");
  }

  private static void mean(Html page, String what, double nanos) {
    if (!Double.isNaN(nanos)) {
      page.add(", %s %s", what, Shown.nanos(nanos));
    }
  }

  private static String level(PathStats.State state) {
    return switch (state) {
      case IN_SERVICE -> "well";
      case OUT, LOST -> "bad";
      default -> "poor";
    };
  }

  /** What moves over the border below a tier, from any tier above it to any below, and back. */
  private void moves(Html page, int above) {
    if (above + 1 == names.size()) {
      return;
    }
    Predicate<MoveStats> down =
        move -> names.indexOf(move.from()) <= above && names.indexOf(move.to()) > above;
    Predicate<MoveStats> up =
        move -> names.indexOf(move.from()) > above && names.indexOf(move.to()) <= above;
    page.add(
        "<li class=\"moves\"><span>↓ %s/s down</span><span>↑ %s/s up</span></li>\n",
        Shown.bytes(minute.movedBytes(down)), Shown.bytes(minute.movedBytes(up)));
  }
}
