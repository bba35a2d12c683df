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
package dev.terrace.bench.replay;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Unit;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * The figures of a tier during a replay.
 *
 * @param tier its name
 * @param hits accesses that it served
 * @param blocksWritten blocks stored
 * @param bytesWritten their bytes, at the size they have in the trace
 * @param bytesRewritten on top of them, the bytes of blocks that were written anew to keep them
 * @param promotions blocks copied from here to a higher tier
 * @param demotions blocks that left and were stored by a lower tier
 * @param refusals blocks not stored, by reason
 */
record TierFigures(
    String tier,
    long hits,
    long blocksWritten,
    long bytesWritten,
    long bytesRewritten,
    long promotions,
    long demotions,
    SortedMap<String, Long> refusals) {

  /** Terrace's tiers, one line each. */
  static Table table(List<TierFigures> tiers, int accesses) {
    Table table =
        new Table(
            "Terrace's tiers",
            Column.text("tier"),
            Column.of("hits", "hits", Unit.COUNT),
            Column.of("hitRatio", "of all accesses", Unit.EXACT_SHARE),
            Column.of("blocksWritten", "blocks written", Unit.COUNT),
            Column.of("bytesWritten", "written", Unit.BYTES),
            Column.of("bytesRewritten", "rewritten", Unit.BYTES),
            Column.of("promotions", "promoted", Unit.COUNT),
            Column.of("demotions", "demoted", Unit.COUNT),
            Column.of("refusals", "refused", Unit.COUNT));
    for (TierFigures tier : tiers) {
      table.row(
          Look.TERRACE,
          tier.tier,
          tier.hits,
          (double) tier.hits / accesses,
          tier.blocksWritten,
          tier.bytesWritten,
          tier.bytesRewritten,
          tier.promotions,
          tier.demotions,
          tier.refusals.values().stream().mapToLong(Long::longValue).sum());
      if (!tier.refusals.isEmpty()) {
        table.note(
            tier.refusals.entrySet().stream()
                .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
                .collect(Collectors.joining(", ", tier.tier + " refused: ", ".")));
      }
    }
    return table;
  }
}
