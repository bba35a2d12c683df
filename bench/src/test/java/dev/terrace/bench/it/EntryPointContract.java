// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static dev.terrace.bench.it.TwoServers.terrace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What must hold on a real HBase whichever way Terrace came in: blocks go to it and are read from
 * it, values are right right after whatever happens to files and regions, and blocks of files that
 * are gone do not stay.
 */
@Tag("hadoop")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EntryPointContract {

  private static final long DRAM_BYTES = 32L << 20;
  private static final long PMEM_BYTES = 64L << 20;
  private static final long SSD_BYTES = 128L << 20;

  /**
   * Whether HBase evicts the blocks of a region that it splits, whatever is set for splits: an
   * older version does as for any region that it closes, or always.
   */
  private static final boolean EVICTS_AT_SPLITS =
      Arrays.stream(CacheConfig.class.getFields())
          .noneMatch(field -> field.getName().equals("EVICT_BLOCKS_ON_SPLIT_KEY"));

  private TwoServers cluster;

  /** Where the tiers that survive lie. */
  @TempDir static Path tiers;

  /** The settings that let Terrace into the first and the second server, but for its tiers. */
  abstract List<Map<String, String>> settings();

  /** What Terrace says of the way into the first and the second server. */
  abstract List<String> waysIn();

  /** Jars that the ways in need beside the drop-in jar. */
  Path[] jars() throws IOException {
    return new Path[0];
  }

  @BeforeAll
  void start() throws IOException {
    List<Map<String, String>> all = new ArrayList<>();
    for (Map<String, String> one : settings()) {
      int number = all.size();
      Map<String, String> sized = new HashMap<>(one);
      sized.put("hbase.terrace.dram.size", Long.toString(DRAM_BYTES));
      sized.put("hbase.terrace.pmem.paths", tiers.resolve("pmem" + number).toString());
      sized.put("hbase.terrace.pmem.size", Long.toString(PMEM_BYTES));
      sized.put("hbase.terrace.ssd.paths", tiers.resolve("ssd" + number).toString());
      sized.put("hbase.terrace.ssd.size", Long.toString(SSD_BYTES));
      sized.put("hbase.terrace.create.paths", "true");
      all.add(sized);
    }
    cluster = new TwoServers(getClass().getSimpleName(), all.get(0), all.get(1), jars());
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** The servers, while tests run. */
  TwoServers cluster() {
    return cluster;
  }

  private CheckedTable createAndWrite(String name, int regions) throws IOException {
    CheckedTable table = CheckedTable.ordered(name, 4_000, 500, regions, 2);
    cluster.create(table);
    cluster.write(table);
    return table;
  }

  private Set<String> cachedFilesOf(CheckedTable table) throws IOException {
    Set<String> names = cluster.files(table);
    names.retainAll(cluster.cachedFiles().keySet());
    return names;
  }

  @Test
  void saysInLogAndJmxThatItIsActive() throws IOException {
    List<HBaseServer> servers = List.of(cluster.first(), cluster.second());
    for (int i = 0; i < servers.size(); i++) {
      HBaseServer server = servers.get(i);
      TerraceStats stats = terrace(server);
      assertThat(stats.entryPoint()).isEqualTo(waysIn().get(i));
      assertThat(stats.startLine()).contains(stats.version(), waysIn().get(i), "dram");
      assertThat(stats.tiers())
          .extracting(TerraceStats.Tier::capacityBytes)
          .containsExactly(DRAM_BYTES, PMEM_BYTES, SSD_BYTES);
      assertThat(Files.readString(server.log())).containsOnlyOnce(stats.startLine());
    }
  }

  @Test
  void readsAfterAFlushFillItAndThenHitIt() throws IOException {
    CheckedTable table = createAndWrite("flush", 2);
    cluster.assertAllRight(table);
    assertThat(cluster.files(table)).hasSize(4);
    assertThat(cachedFilesOf(table)).isEqualTo(cluster.files(table));
    assertThat(terrace(cluster.first()).blocks()).isPositive();
    assertThat(terrace(cluster.second()).blocks()).isPositive();

    long before = cluster.hits();
    cluster.assertAllRight(table);
    // Four files, with 1 MB of values each: at least 15 blocks of 64 KB.
    assertThat(cluster.hits() - before).isGreaterThanOrEqualTo(4 * 15);
  }

  @Test
  void aCompactionTakesTheBlocksOfTheOldFilesAlong() throws IOException {
    // A region on each server.
    CheckedTable table = createAndWrite("compaction", 2);
    cluster.assertAllRight(table);
    CheckedTable rewritten = table.nextGeneration();
    cluster.write(rewritten);
    cluster.assertAllRight(rewritten);
    Set<String> old = cluster.files(table);
    assertThat(old).hasSize(8);
    assertThat(cachedFilesOf(table)).isEqualTo(old);

    cluster.admin().majorCompact(table.name());
    cluster.await("one new file in each store", () -> cluster.files(table).size() == 4);
    assertThat(cluster.files(table)).doesNotContainAnyElementsOf(old);
    cluster.assertAllRight(rewritten);
    cluster.await(
        "the blocks of the old files were gone", () -> disjoint(cluster.cachedFiles(), old));
    cluster.assertAllRight(rewritten);
    assertThat(cachedFilesOf(table)).isEqualTo(cluster.files(table));
  }

  @Test
  void referencesOfASplitFindTheBlocksOfTheParent() throws IOException {
    CheckedTable table = createAndWrite("split", 1);
    cluster.assertAllRight(table);
    Set<String> parents = cluster.files(table);
    // Daughters that compact at once would leave no reference to read through.
    cluster.admin().compactionSwitch(false, List.of());
    try {
      splitAndReadThroughReferences(table, parents);
    } finally {
      cluster.admin().compactionSwitch(true, List.of());
    }

    cluster.admin().majorCompact(table.name());
    cluster.await(
        "the daughters had files of their own", () -> cluster.references(table).isEmpty());
    cluster.assertAllRight(table);
    Set<String> daughters = new HashSet<>(cluster.files(table));
    daughters.removeAll(parents);
    assertThat(daughters).hasSize(4);
    assertThat(cluster.cachedFiles()).containsKeys(daughters.toArray(new String[0]));
  }

  private void splitAndReadThroughReferences(CheckedTable table, Set<String> parents)
      throws IOException {
    cluster.admin().split(table.name(), table.key(table.rows() / 3));
    cluster.await(
        "there were two regions", () -> cluster.admin().getRegions(table.name()).size() == 2);
    if (EVICTS_AT_SPLITS) {
      cluster.assertAllRight(table);
    }
    long before = cluster.hits();
    cluster.assertAllRight(table);
    // Two files, with 2 MB of values each: at least 30 blocks of 64 KB.
    assertThat(cluster.hits() - before).isGreaterThanOrEqualTo(2 * 30);
    // The references of both daughters to one file have one name.
    assertThat(cluster.references(table)).hasSameSizeAs(parents);
  }

  @Test
  void aRegionThatMovesTakesItsReadsToTheOtherServer() throws IOException {
    CheckedTable table = createAndWrite("move", 1);
    RegionInfo region = cluster.admin().getRegions(table.name()).get(0);
    Set<String> files = cluster.files(table);
    for (HBaseServer target : List.of(cluster.second(), cluster.first(), cluster.second())) {
      cluster.admin().move(region.getEncodedNameAsBytes(), cluster.nameOf(target));
      cluster.await("the region was opened there", () -> isOn(region, target));
      cluster.assertAllRight(table);
      HBaseServer other = target == cluster.first() ? cluster.second() : cluster.first();
      String[] names = files.toArray(new String[0]);
      assertThat(BeanOperations.cachedFiles(target)).containsKeys(names);
      assertThat(BeanOperations.cachedFiles(other)).doesNotContainKeys(names);
    }
  }

  private boolean isOn(RegionInfo region, HBaseServer server) throws IOException {
    return cluster.admin().getRegions(cluster.nameOf(server)).stream()
        .anyMatch(opened -> opened.getEncodedName().equals(region.getEncodedName()));
  }

  @Test
  void aTableThatIsDroppedLeavesNothing() throws IOException {
    CheckedTable table = createAndWrite("drop", 2);
    cluster.assertAllRight(table);
    Set<String> files = cluster.files(table);
    assertThat(cachedFilesOf(table)).isEqualTo(files);

    cluster.admin().disableTable(table.name());
    cluster.admin().deleteTable(table.name());
    cluster.await("its blocks were gone", () -> disjoint(cluster.cachedFiles(), files));

    CheckedTable recreated = table.nextGeneration();
    cluster.create(recreated);
    cluster.write(recreated);
    cluster.assertAllRight(recreated);
    cluster.assertAllRight(recreated);
  }

  private static boolean disjoint(Map<String, Long> cached, Set<String> files) {
    return files.stream().noneMatch(cached::containsKey);
  }
}
