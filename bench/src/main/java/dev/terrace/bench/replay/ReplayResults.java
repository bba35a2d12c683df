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
import dev.terrace.bench.report.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
  String tierTable() {
    TextTable table =
        new TextTable(
            1,
            "tier",
            "hits",
            "of all accesses",
            "blocks written",
            "written",
            "rewritten",
            "promoted",
            "demoted",
            "refused");
    for (TierFigures tier : tiers) {
      table.add(
          tier.tier(),
          count(tier.hits()),
          percent(tier.hits()),
          count(tier.blocksWritten()),
          new ByteSize(tier.bytesWritten()).toString(),
          new ByteSize(tier.bytesRewritten()).toString(),
          count(tier.promotions()),
          count(tier.demotions()),
          refusals(tier));
    }
    return table.toString();
  }

  private static String refusals(TierFigures tier) {
    if (tier.refusals().isEmpty()) {
      return "0";
    }
    return new TreeMap<>(tier.refusals())
        .entrySet().stream()
            .map(refusal -> count(refusal.getValue()) + " " + refusal.getKey())
            .collect(Collectors.joining(", "));
  }

  /** All caches, one line each, at the size of DRAM and at that of all tiers. */
  String cacheTable() {
    TextTable table =
        new TextTable(
            1,
            "cache",
            "hits at " + new ByteSize(sizes.dramBytes()) + " (DRAM)",
            "hits at " + new ByteSize(sizes.totalBytes()) + " (all)");
    Map<String, String[]> cells = new LinkedHashMap<>();
    for (CacheHits cache : caches) {
      String[] row = cells.computeIfAbsent(cache.cache(), name -> new String[] {"-", "-"});
      if (cache.capacityBytes() == sizes.dramBytes()) {
        row[0] = percent(cache.hits());
      }
      if (cache.capacityBytes() == sizes.totalBytes()) {
        row[1] = percent(cache.hits());
      }
    }
    cells.forEach((name, row) -> table.add(name, row[0], row[1]));
    return table.toString();
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
                  tier.refusals().values().stream().mapToLong(Long::longValue).sum()));
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

  /** All caches, for JSON. */
  List<CacheHits> caches() {
    return List.copyOf(caches);
  }

  private String percent(long hits) {
    return String.format(Locale.ROOT, "%.2f %%", 100.0 * hits / trace.length());
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
