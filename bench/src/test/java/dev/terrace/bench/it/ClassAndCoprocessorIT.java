// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.CheckedTable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Terrace's own region server class beside HBase's class with Terrace's coprocessor. */
@Tag("long")
final class ClassAndCoprocessorIT extends EntryPointContract {

  @Override
  List<Map<String, String>> settings() {
    return List.of(
        Map.of("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer"),
        Map.of("hbase.coprocessor.regionserver.classes", "dev.terrace.hbase.TerraceCoprocessor"));
  }

  @Override
  List<String> waysIn() {
    return List.of("hbase.regionserver.impl", "hbase.coprocessor.regionserver.classes");
  }

  @Test
  void aCompactionPassesTheHeatOfBlocksOn() throws IOException {
    TwoServers cluster = cluster();
    // A region on each server; blocks of some 60 rows.
    CheckedTable table = CheckedTable.ordered("heat", 16_000, 1_000, 2, 1);
    cluster.create(table);
    cluster.write(table);
    List<Long> hot =
        LongStream.range(0, table.rows()).filter(row -> row % 1_600 < 240).boxed().toList();
    cluster.assertRight(table, hot);
    Set<String> old = cluster.files(table);
    long hotBytes = cachedBytes(old);
    // Ten groups of 240 rows with 1 KB, and not much more.
    assertThat(hotBytes).isBetween(10 * 240 * 1_000L, table.rows() * 1_000 / 3);
    Map<String, Long> before = cluster.compactionCaching();

    cluster.admin().majorCompact(table.name());
    cluster.await("there were new files", () -> isReplaced(table, old));

    // The blocks in which a group begins or ends, and a few of each server.
    assertThat(cachedBytes(cluster.files(table)))
        .isBetween(hotBytes / 2, (long) (1.5 * hotBytes) + 2 * 8 * (64 << 10));
    Map<String, Long> after = cluster.compactionCaching();
    assertThat(after.get("residentBytesRead") - before.get("residentBytesRead"))
        .isGreaterThan(hotBytes * 9 / 10);
    // Of 250 blocks.
    assertThat(after.get("coldBlocksWritten") - before.get("coldBlocksWritten")).isGreaterThan(100);
    long misses = cluster.misses();
    cluster.assertRight(table, hot);
    assertThat(cluster.misses() - misses).isLessThanOrEqualTo(hotBytes / (64 << 10) / 10);
    cluster.assertAllRight(table);
  }

  @Test
  void aTablesOwnSettingCachesAllThatACompactionWrites() throws IOException {
    TwoServers cluster = cluster();
    CheckedTable table = CheckedTable.ordered("asked", 4_000, 1_000, 2, 1);
    cluster.create(table);
    cluster
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(table.name()))
                .setValue(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, "true")
                .build());
    cluster.write(table);
    Set<String> old = cluster.files(table);
    assertThat(cachedBytes(old)).as("nothing was read").isZero();

    cluster.admin().majorCompact(table.name());
    cluster.await("there were new files", () -> isReplaced(table, old));

    long misses = cluster.misses();
    cluster.assertAllRight(table);
    assertThat(cluster.misses()).isEqualTo(misses);
  }

  @Test
  void aFlushIsCachedIfTheOneBeforeWasRead() throws IOException {
    TwoServers cluster = cluster();
    CheckedTable table = CheckedTable.ordered("flushes", 16_000, 1_000, 2, 1);
    cluster.create(table);
    cluster.write(table);
    Set<String> first = cluster.files(table);
    assertThat(cachedBytes(first)).isZero();
    cluster.assertAllRight(table);

    CheckedTable rewritten = table.nextGeneration();
    cluster.write(rewritten);

    Set<String> second = cluster.files(table);
    second.removeAll(first);
    assertThat(second).hasSize(2);
    long misses = cluster.misses();
    cluster.assertAllRight(rewritten);
    // Of 250 blocks.
    assertThat(cluster.misses() - misses).isLessThanOrEqualTo(25);
  }

  /** The cached bytes of files, each in the tier that has most of it. */
  private long cachedBytes(Set<String> files) throws IOException {
    Map<String, Long> cached = cluster().cachedFiles();
    return files.stream().mapToLong(file -> cached.getOrDefault(file, 0L)).sum();
  }

  /** Whether both regions have one new file, and the old ones are put away. */
  private boolean isReplaced(CheckedTable table, Set<String> old) throws IOException {
    Set<String> files = cluster().files(table);
    return files.size() == 2 && files.stream().noneMatch(old::contains);
  }
}
