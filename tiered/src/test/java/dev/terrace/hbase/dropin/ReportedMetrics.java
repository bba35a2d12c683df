// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.metrics.impl.GlobalMetricRegistriesAdapter;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Prints what HBase's part of JMX has of a cache, and whether that is gone when the cache is. A
 * program of its own, for any version of HBase from 2.5 on; {@link OtherVersionsIT} runs it.
 */
final class ReportedMetrics {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private ReportedMetrics() {}

  public static void main(String[] args) throws Exception {
    Configuration conf = OpenCaches.conf();
    TieredBlockCache cache = OpenCaches.make(conf);
    cache.cacheBlock(TestBlocks.key("file", 0), TestBlocks.data("file", 0, 66_000));
    cache.getBlock(TestBlocks.key("file", 0), true, false, true).release();
    if (cache.getBlock(TestBlocks.key("file", 1), true, false, true) != null) {
      throw new IllegalStateException("a block that nobody cached");
    }
    // As a region server does; JMX keeps what it read first for seconds.
    DefaultMetricsSystem.initialize("HBase");
    GlobalMetricRegistriesAdapter.init();

    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("Hadoop:service=HBase,name=RegionServer,sub=Terrace");
    await().atMost(PATIENCE).until(() -> beans.isRegistered(name));
    for (String attribute :
        List.of(
            "Dram_capacity_bytes",
            "Dram_hits_total",
            "Dram_misses_total",
            "Dram_refusals_bad_size_total")) {
      System.out.println(attribute + "=" + beans.getAttribute(name, attribute));
    }
    cache.shutdown();
    await().atMost(PATIENCE).until(() -> !beans.isRegistered(name));
    System.out.println("none after the end");
    // HBase's own threads would keep the process alive.
    System.exit(0);
  }
}
