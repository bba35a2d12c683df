// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.Source;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.diagnosis.FileEvents;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.FileOrigin.Extent;
import dev.terrace.hbase.files.OpenPaths;
import dev.terrace.tiered.HeapTier;
import dev.terrace.tiered.LentStrings;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FamilyLookupsTest {

  private static final BlockTraits TRAITS = new BlockTraits(0, Residency.ORDINARY);

  private static final Duration PERIOD = Duration.ofMillis(FileEvents.Count.PERIOD_MILLIS);
  private static final Instant START = Instant.parse("2026-11-27T12:00:00Z");

  private Instant now = START;
  private final List<Path> open = new ArrayList<>();
  private final FileCatalog known = OpenPaths.known(open::stream);
  private final HeapTier dram = new HeapTier("dram");
  private final HeapTier ssd = new HeapTier("ssd");
  private final List<HeapTier> tiers = List.of(dram, ssd);
  private final TieredCache<String> cache =
      new TieredCache<>(
          FILES,
          tiers,
          new LentStrings(),
          Movement.standard(
              tiers, false, Map.of(), System::nanoTime, Runnable::run, Long.MAX_VALUE));
  private final FamilyLookups lookups = new FamilyLookups(cache, known, () -> now.toEpochMilli());

  @AfterEach
  void close() {
    cache.close();
  }

  private static Path path(String table, String family, String file) {
    return new Path(
        "/hbase/data/default/" + table + "/region-of-" + table + "/" + family + "/" + file);
  }

  private void know(String table, String family, String file) {
    assertThat(file(file).name()).as("it is cached").isEqualTo(file);
    known.completed(path(table, family, file), new Extent(1, 100));
  }

  private void hits(int hits, String file) {
    for (int i = 0; i < hits; i++) {
      assertThat(cache.get(file(file), 0, Access.NON_CACHING)).isNotNull();
    }
  }

  @Test
  void hitsAreByTierAndMissesByFamily() {
    know("users", "info", "a");
    know("users", "photos", "b");
    dram.put(file("a"), 0, "block a", TRAITS, 0);
    ssd.put(file("b"), 0, "block b", TRAITS, 0);

    hits(2, "a");
    hits(3, "b");
    lookups.missed(file("a"), true);

    long sample = HitRecorder.HITS_PER_SAMPLE;
    assertThat(lookups.byFamily())
        .isEqualTo(
            Map.of(
                "default:users info", Map.of("dram", 2 * sample, "misses", 1L),
                "default:users photos", Map.of("ssd", 3 * sample, "misses", 0L)));
    assertThat(lookups.byTable())
        .isEqualTo(
            Map.of("default:users", Map.of("dram", 2 * sample, "ssd", 3 * sample, "misses", 1L)));
  }

  /** A hit saves the mean size of what was read; of a family without reads, that of all. */
  @Test
  void requestsToTheStoreAreSavedAndMade() {
    know("users", "info", "a");
    know("orders", "f", "b");
    dram.put(file("a"), 0, "block a", TRAITS, 0);
    ssd.put(file("b"), 0, "block b", TRAITS, 0);
    HFileBlock small = TestBlocks.data("a", 0, 10_000);
    HFileBlock large = TestBlocks.data("a", 1, 30_000);
    long mean = ((long) small.getOnDiskSizeWithHeader() + large.getOnDiskSizeWithHeader()) / 2;

    lookups.offered(file("a"), small, Source.READ);
    lookups.offered(file("a"), large, Source.PREFETCH);
    lookups.offered(file("a"), large, Source.FLUSH);
    lookups.offered(file("a"), large, Source.COMPACTION);
    lookups.missed(file("a"), true);
    lookups.missed(file("a"), false);
    hits(2, "a");
    hits(3, "b");

    long sample = HitRecorder.HITS_PER_SAMPLE;
    assertThat(lookups.requestsByTable().get("default:users"))
        .isEqualTo(
            Map.of(
                "savedRequests",
                2 * sample,
                "savedBytes",
                2 * sample * mean,
                "readRequests",
                2L,
                "readBytes",
                small.getOnDiskSizeWithHeader() + mean,
                "prefetchRequests",
                1L,
                "prefetchBytes",
                (long) large.getOnDiskSizeWithHeader()));
    long ofAll = (small.getOnDiskSizeWithHeader() + mean + large.getOnDiskSizeWithHeader()) / 3;
    assertThat(lookups.requestsByTable().get("default:orders"))
        .containsEntry("savedRequests", 3 * sample)
        .containsEntry("savedBytes", 3 * sample * ofAll)
        .containsEntry("readRequests", 0L);
    assertThat(lookups.requests())
        .containsEntry("savedRequests", 5 * sample)
        .containsEntry("readRequests", 2L);
  }

  @Test
  void familiesOfUnknownFilesAreLearnt() {
    lookups.missed(file("a"), true);
    open.add(path("users", "info", "a"));
    lookups.missed(file("a"), true);
    known.learnOpenFiles();
    lookups.missed(file("a"), true);

    assertThat(lookups.byFamily())
        .isEqualTo(
            Map.of(
                "unknown unknown", Map.of("misses", 2L),
                "default:users info", Map.of("misses", 1L)));
  }

  @Test
  void theBusiestOfManyTablesHasARowThoughItComesLast() {
    int tables = 5_000;
    int lookupsOfAll = 0;
    for (int i = 0; i < tables; i++) {
      know("t" + i, "f", "file" + i);
      lookups.missed(file("file" + i), true);
      lookupsOfAll++;
    }
    know("busiest", "f", "busy");
    int busy = 0;
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < tables; i++) {
        lookups.missed(file("file" + i), true);
        lookupsOfAll++;
        if (i % 100 == 0) {
          lookups.missed(file("busy"), true);
          busy++;
          lookupsOfAll++;
        }
      }
    }

    Map<String, Map<String, Long>> byTable = lookups.byTable();
    assertThat(byTable.size()).isLessThanOrEqualTo(FamilyLookups.MAX_FAMILIES + 1);
    assertThat(byTable.get("default:busiest").get("misses"))
        .isBetween(busy - busy / 5L, (long) busy);
    assertThat(byTable.values().stream().mapToLong(row -> row.get("misses")).sum())
        .as("others have the rest")
        .isEqualTo(lookupsOfAll);
    assertThat(byTable).containsKey("others");
  }

  private void miss(String table, boolean toCache) {
    String file = String.format("%32s", table).replace(' ', '0');
    Path path = new Path("/hbase/data/ns/" + table + "/region/f/" + file);
    known.read(file(file), new BlockCacheKey(path, 0, true, BlockType.DATA));
    lookups.missed(file(file), toCache);
  }

  private List<String> counts() {
    return lookups.recentMisses().stream().map(of -> of.table() + " " + of.misses()).toList();
  }

  @Test
  void recentMissesAreByFamilyAndKindOfRead() {
    miss("one", true);
    miss("two", false);
    miss("two", false);

    assertThat(lookups.recentMisses())
        .containsExactly(
            new FamilyLookups.Misses("ns:two", "f", "compaction", 2),
            new FamilyLookups.Misses("ns:one", "f", "inside the server", 1));
  }

  @Test
  void recentMissesAreForgottenAfterTwoPeriods() {
    miss("one", true);
    now = START.plus(PERIOD);
    miss("two", true);
    miss("two", true);
    assertThat(counts()).containsExactly("ns:two 2", "ns:one 1");
    assertThat(lookups.recentSince()).isEqualTo(START);

    now = START.plus(PERIOD.multipliedBy(2));
    assertThat(counts()).containsExactly("ns:two 2");
    assertThat(lookups.recentSince()).isEqualTo(START.plus(PERIOD));

    now = START.plus(PERIOD.multipliedBy(9));
    assertThat(counts()).isEmpty();
  }
}
