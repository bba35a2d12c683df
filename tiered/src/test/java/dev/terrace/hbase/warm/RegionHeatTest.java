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
package dev.terrace.hbase.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.LocalCluster;
import dev.terrace.hbase.TieredBlockCache;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions that move between two servers, each with DRAM and SSD. */
@Tag("hadoop")
@Tag("cluster")
class RegionHeatTest {

  private static final int ROWS = 20_000;

  /** Every so many rows one is read: a few blocks lie between. */
  private static final int HOT_EVERY = 100;

  @TempDir static File folder;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    cluster = new LocalCluster(folder, 2);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static long figure(int server, String name) {
    return cluster.cache(server).regionHeat().get(name);
  }

  private static long figure(String name) {
    return figure(0, name) + figure(1, name);
  }

  private static int home(TableName table) {
    return cluster.regionsOf(0, table).isEmpty() ? 1 : 0;
  }

  private static HRegion region(TableName table) {
    return cluster.regionsOf(home(table), table).get(0);
  }

  private static TableName loaded(String name) throws IOException {
    TableName table = cluster.create(name, Map.of(), true);
    cluster.load(table, 0, ROWS);
    return table;
  }

  private static void move(TableName table, int to) throws IOException {
    RegionInfo region = region(table).getRegionInfo();
    cluster.admin.move(region.getEncodedNameAsBytes(), cluster.server(to).getServerName());
    awaitOpenAndWarm(table, to);
  }

  private static void awaitOpenAndWarm(TableName table, int server) {
    await().until(() -> !cluster.regionsOf(server, table).isEmpty());
    await().until(() -> figure(server, "regionsToWarm") == 0);
  }

  /** Reads the hot rows, and returns how many lookups missed. */
  private static long missesOfHotRows(TableName table) throws IOException {
    TieredBlockCache cache = cluster.cache(home(table));
    long before = cache.getStats().getMissCount();
    try (Table reads = cluster.open(table)) {
      for (int number = 0; number < ROWS; number += HOT_EVERY) {
        byte[] row = LocalCluster.row(number);
        byte[] value = reads.get(new Get(row)).getValue(LocalCluster.FAMILY, LocalCluster.FAMILY);
        assertThat(value).isEqualTo(LocalCluster.value(row));
      }
    }
    return cache.getStats().getMissCount() - before;
  }

  private static long cachedBytes(int server, TableName table) {
    String file = cluster.fileOf(region(table));
    return cluster.cachedBytes(server).getOrDefault(file, 0L);
  }

  private static Path list(TableName table) {
    return Path.of(HeatFile.of(region(table)).toUri().getPath());
  }

  @Test
  void aRegionThatMovesIsWarm() throws IOException {
    TableName table = loaded("moves");
    int home = home(table);
    int other = 1 - home;
    missesOfHotRows(table);
    assertThat(missesOfHotRows(table)).isZero();
    long hotBytes = cachedBytes(home, table);
    long readBefore = figure(other, "bytesReadToWarm");

    move(table, other);

    assertThat(missesOfHotRows(table)).as("misses after the move").isZero();
    assertThat(cachedBytes(other, table)).isEqualTo(hotBytes);
    long read = figure(other, "bytesReadToWarm") - readBefore;
    assertThat(read).isBetween(hotBytes / 2, hotBytes * 6 / 5);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(list(table))))
        .isEqualTo("rw-------");

    readBefore = figure(home, "bytesReadToWarm");
    move(table, home);

    assertThat(missesOfHotRows(table)).as("misses after the way back").isZero();
    assertThat(figure(home, "bytesReadToWarm"))
        .as("bytes read by a server that kept the blocks")
        .isEqualTo(readBefore);
  }

  @Test
  void aListThatIsWrongCostsNoReadAWrongByte() throws IOException {
    TableName table = loaded("lies");
    missesOfHotRows(table);
    missesOfHotRows(table);
    byte[] right = closedAndRead(table);
    HeatList list = HeatList.decoded(right);
    byte[] newer = right.clone();
    newer[11]++;
    byte[] flipped = right.clone();
    flipped[right.length / 2] ^= 1;
    String file = list.files().get(0).file();
    HeatList.Blocks lies = new HeatList.Blocks();
    for (int i = 0; i < 100_000; i++) {
      lies.add(i * 7L, 1 << 30, HeatList.Mark.of(0, true, 3));
    }
    HeatList.Blocks beyond = new HeatList.Blocks();
    beyond.add(HeatList.END_OF_OFFSETS - 1, Integer.MAX_VALUE, HeatList.Mark.of(3, false, 3));
    for (byte[] unreadable :
        List.of(
            new byte[0],
            Arrays.copyOf(right, right.length - 10),
            newer,
            flipped,
            ByteBuffer.allocate(1 << 20).array())) {
      long before = figure("listsNotRead");
      openWith(table, unreadable);
      assertThat(figure("listsNotRead")).isEqualTo(before + 1);
      missesOfHotRows(table);
      closedAndRead(table);
    }
    for (HeatList.Blocks forged : List.of(lies, beyond)) {
      long failed = figure("blocksFailed");
      long read = figure("bytesReadToWarm");
      openWith(table, new HeatList(1, List.of(forged.of(file), lies.of("gone"))).encoded());
      assertThat(figure("blocksFailed")).isGreaterThan(failed);
      assertThat(figure("bytesReadToWarm") - read).isLessThan(8L << 20);
      missesOfHotRows(table);
      closedAndRead(table);
    }
    openWith(table, right);
    assertThat(missesOfHotRows(table)).isZero();
  }

  private static Path lastList;

  /** Closes the region, forgets its blocks, and returns its list. */
  private static byte[] closedAndRead(TableName table) throws IOException {
    HRegion region = region(table);
    String file = cluster.fileOf(region);
    lastList = list(table);
    cluster.admin.unassign(region.getRegionInfo().getRegionName());
    for (int server = 0; server < 2; server++) {
      int number = server;
      await().until(() -> cluster.regionsOf(number, table).isEmpty());
      cluster.cache(server).evictBlocksByHfileName(file);
    }
    return Files.readAllBytes(lastList);
  }

  private static void openWith(TableName table, byte[] list) throws IOException {
    Files.write(lastList, list);
    RegionInfo region = cluster.admin.getRegions(table).get(0);
    cluster.admin.assign(region.getRegionName());
    await()
        .until(() -> cluster.regionsOf(0, table).size() + cluster.regionsOf(1, table).size() == 1);
    awaitOpenAndWarm(table, home(table));
    assertThat(Bytes.toString(region.getEncodedNameAsBytes())).isNotEmpty();
  }
}
