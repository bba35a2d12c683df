// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The map of a server's regions, beside the one that parts of HBase got before. */
@Tag("hadoop")
class OnlineRegionsTest {

  private static final TableName TABLE = TableName.valueOf("t");

  @TempDir Path folder;

  private final Map<String, HRegion> before = new ConcurrentHashMap<>();
  private final List<String> told = new ArrayList<>();
  private final OnlineRegions regions =
      new OnlineRegions(
          before,
          region -> told.add("opened " + name(region) + " of " + before.size()),
          region -> told.add("closing " + name(region) + " of " + before.size()));

  private static String name(HRegion region) {
    return Bytes.toString(region.getRegionInfo().getStartKey());
  }

  private HRegion region(String start) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    RegionInfo info = RegionInfoBuilder.newBuilder(TABLE).setStartKey(Bytes.toBytes(start)).build();
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    FileSystem files = FileSystem.getLocal(conf);
    return HRegion.newHRegion(
        new org.apache.hadoop.fs.Path(folder.toUri()), null, files, conf, info, table, null);
  }

  @Test
  void itIsTheMapBeforeAndTellsOfWhatComesAndGoes() throws IOException {
    HRegion first = region("1");
    HRegion second = region("2");

    assertThat(regions.put("1", first)).isNull();
    assertThat(regions.put("2", second)).isNull();
    assertThat(regions.put("2", second)).as("the one before").isSameAs(second);
    assertThat(before).isEqualTo(Map.of("1", first, "2", second)).isEqualTo(regions);
    assertThat(regions.get("1")).isSameAs(first);
    assertThat(regions.containsKey("3")).isFalse();
    assertThat(regions.values()).containsExactlyInAnyOrder(first, second);
    assertThat(regions.keySet()).containsExactlyInAnyOrder("1", "2");

    Iterator<HRegion> running = regions.values().iterator();
    running.next();
    assertThat(regions.remove("1")).isSameAs(first);
    assertThat(regions.remove("2")).isSameAs(second);
    assertThat(regions.remove("1")).isNull();
    assertThat(running).as("of a map that changes meanwhile").toIterable().hasSizeBetween(0, 1);
    assertThat(told)
        .containsExactly(
            "opened 1 of 1", "opened 2 of 2", "opened 2 of 2", "closing 1 of 2", "closing 2 of 1");
    assertThat(regions).isEmpty();
    assertThat(before).isEmpty();
  }

  /** HBase aborts a server whose map of regions throws. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, OutOfMemoryError.class})
  void aListenerThatFailsKeepsNoRegionFromOpeningOrClosing(Class<? extends Throwable> type)
      throws Exception {
    Throwable failure = type.getConstructor(String.class).newInstance("as asked");
    Consumer<HRegion> failing =
        region -> {
          if (failure instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) failure;
        };
    OnlineRegions guarded = new OnlineRegions(before, failing, failing);
    HRegion region = region("1");

    assertThat(guarded.put("1", region)).isNull();
    assertThat(before).containsEntry("1", region);
    assertThat(guarded.remove("1")).isSameAs(region);
    assertThat(before).isEmpty();
  }

  @Test
  void whatChangesTheMapByOtherWaysChangesBoth() throws IOException {
    before.put("1", region("1"));
    regions.putIfAbsent("2", region("2"));
    assertThat(regions.keySet()).containsExactlyInAnyOrder("1", "2").isEqualTo(before.keySet());
    regions.values().removeIf(region -> name(region).equals("1"));
    assertThat(before.keySet()).containsExactly("2");
    regions.clear();
    assertThat(before).isEmpty();
  }
}
