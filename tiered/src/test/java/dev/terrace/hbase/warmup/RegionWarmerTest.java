// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.TestTiers;
import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.peers.Peers;
import dev.terrace.hbase.settings.WarmRate;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The warmer of regions without stores, with threads that are run by hand, or cannot start. */
@Tag("hadoop")
class RegionWarmerTest {

  private static final TableName TABLE = TableName.valueOf("t");
  private static final Executor NO_THREAD =
      task -> {
        throw new OutOfMemoryError("unable to create native thread");
      };

  @TempDir Path folder;
  @RegisterExtension final TestTiers opened = new TestTiers();

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private Executor threads = tasks::add;
  private LongSupplier rate = () -> 1 << 20;
  private RegionWarmer warmer;

  @BeforeEach
  void open() {
    TieredCache<Cacheable> tiers = opened.open("hbase.terrace.dram.size", "8m");
    warmer =
        new RegionWarmer(
            tiers,
            new PutRouter(null, null, null),
            new Peers(tiers, Optional::empty, () -> new WarmRate(1, true)),
            () -> rate.getAsLong(),
            task -> threads.execute(task),
            new LongAdder());
  }

  private HRegion region(String start) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    RegionInfo info = RegionInfoBuilder.newBuilder(TABLE).setStartKey(Bytes.toBytes(start)).build();
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    org.apache.hadoop.fs.Path tables = new org.apache.hadoop.fs.Path(folder.toUri());
    return HRegion.newHRegion(tables, null, FileSystem.getLocal(conf), conf, info, table, null);
  }

  private long toWarm() {
    Map<String, Long> figures = new LinkedHashMap<>();
    warmer.addTo(figures);
    return figures.get("regionsToWarm");
  }

  private void runAll() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void regionsOpenWhileNoThreadCanBeStartedAndAreWarmedLater() throws IOException {
    threads = NO_THREAD;
    warmer.opened(region("1"));
    warmer.opened(region("2"));
    assertThat(toWarm()).isEqualTo(2);

    threads = tasks::add;
    warmer.resume();
    runAll();
    assertThat(toWarm()).isZero();
  }

  @Test
  void errorsEndNoThreadForGood() throws IOException {
    for (int i = 0; i < RegionWarmer.THREADS; i++) {
      warmer.opened(region("" + i));
    }
    rate =
        () -> {
          throw new OutOfMemoryError("as asked");
        };
    runAll();
    assertThat(toWarm()).isEqualTo(RegionWarmer.THREADS);

    rate = () -> 1 << 20;
    warmer.resume();
    runAll();
    assertThat(toWarm()).isZero();
  }

  @Test
  void aRegionThatClosesBeforeItsTurnIsLeft() throws IOException {
    HRegion left = region("1");
    warmer.opened(left);
    warmer.opened(region("2"));
    assertThat(warmer.closed(left)).as("its list was not read").isFalse();
    assertThat(toWarm()).isEqualTo(1);
    runAll();
    assertThat(toWarm()).isZero();
  }
}
