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

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What came out of a replay, for people and for programs. */
final class ReplayResults {

  private final Trace trace;
  private final TierSizes sizes;
  private final List<TierFigures> tiers;
  private final List<CacheHits> caches = new ArrayList<>();

  /**
   * One cache at one size.
   *
   * @param cache its name
   * @param capacityBytes its size, in bytes of the trace's blocks
   * @param hits accesses that it served
   */
  record CacheHits(String cache, long capacityBytes, long hits) {}

  ReplayResults(Trace trace, TierSizes sizes, List<TierFigures> tiers) {
    this.trace = trace;
    this.sizes = sizes;
    this.tiers = List.copyOf(tiers);
  }

  /** Adds a cache at a size. */
  void add(String cache, long capacityBytes, long hits) {
    caches.add(new CacheHits(cache, capacityBytes, hits));
  }

  /** Terrace's tiers, one line each. */
  Table tierTable() {
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
          tier.tier(),
          tier.hits(),
          ratio(tier.hits()),
          tier.blocksWritten(),
          tier.bytesWritten(),
          tier.bytesRewritten(),
          tier.promotions(),
          tier.demotions(),
          refusals(tier));
      if (!tier.refusals().isEmpty()) {
        table.note(tier.tier() + " refused: " + refusalsInWords(tier) + ".");
      }
    }
    return table;
  }

  private static long refusals(TierFigures tier) {
    return tier.refusals().values().stream().mapToLong(Long::longValue).sum();
  }

  private static String refusalsInWords(TierFigures tier) {
    return new TreeMap<>(tier.refusals())
        .entrySet().stream()
            .map(
                refusal ->
                    String.format(Locale.ROOT, "%,d %s", refusal.getValue(), refusal.getKey()))
            .collect(Collectors.joining(", "));
  }

  /** All caches, one line each, at the size of DRAM and at that of all tiers. */
  Table cacheTable() {
    Column dram =
        Column.of(
            "atDram", "hits at " + new ByteSize(sizes.dramBytes()) + " (DRAM)", Unit.EXACT_SHARE);
    Column all =
        Column.of(
            "atAll", "hits at " + new ByteSize(sizes.totalBytes()) + " (all)", Unit.EXACT_SHARE);
    Table table =
        new Table(
            "Hits of all accesses", Column.text("cache"), dram.moreIsBetter(), all.moreIsBetter());
    caches.stream()
        .map(CacheHits::cache)
        .distinct()
        .forEach(
            name ->
                table.row(
                    look(name),
                    name,
                    ratio(name, sizes.dramBytes()),
                    ratio(name, sizes.totalBytes())));
    return table.bars("Hit ratios", "atDram", "atAll");
  }

  private static Look look(String cache) {
    return cache.equals(Comparison.TERRACE)
        ? Look.TERRACE
        : cache.equals(Peer.OPTIMUM.title()) ? Look.BOUND : Look.PEER;
  }

  private OptionalDouble ratio(String cache, long capacityBytes) {
    return caches.stream()
        .filter(each -> each.cache().equals(cache) && each.capacityBytes() == capacityBytes)
        .mapToDouble(each -> ratio(each.hits()))
        .findFirst();
  }

  private double ratio(long hits) {
    return (double) hits / trace.length();
  }

  /** All figures, one line each. */
  String csv() {
    StringBuilder csv = new StringBuilder();
    csv.append("cache,capacityBytes,accesses,hits,hitRatio,")
        .append("blocksWritten,bytesWritten,bytesRewritten,promotions,demotions,refusals\n");
    for (TierFigures tier : tiers) {
      csv.append(line("terrace." + tier.tier(), tierBytes(tier), tier.hits()))
          .append(
              String.format(
                  Locale.ROOT,
                  ",%d,%d,%d,%d,%d,%d%n",
                  tier.blocksWritten(),
                  tier.bytesWritten(),
                  tier.bytesRewritten(),
                  tier.promotions(),
                  tier.demotions(),
                  refusals(tier)));
    }
    for (CacheHits cache : caches) {
      csv.append(line(cache.cache(), cache.capacityBytes(), cache.hits())).append(",,,,,,\n");
    }
    return csv.toString();
  }

  private long tierBytes(TierFigures tier) {
    return switch (tier.tier()) {
      case "dram" -> sizes.dramBytes();
      case "pmem" -> sizes.pmemBytes();
      case "ssd" -> sizes.ssdBytes();
      default -> throw new IllegalStateException("tier=" + tier.tier());
    };
  }

  private String line(String cache, long capacityBytes, long hits) {
    return String.format(
        Locale.ROOT,
        "%s,%d,%d,%d,%.6f",
        cache,
        capacityBytes,
        trace.length(),
        hits,
        (double) hits / trace.length());
  }

  /** Terrace's tiers, for JSON. */
  List<TierFigures> tiers() {
    return tiers;
  }
}
