// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A block that HBase does not release shows in JMX. */
class SeenLeaksTest {

  private static final int SIZE = 66_000;
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  /** Its clock goes on by more than a minute from one look to the next. */
  @Test
  void aLeakedBlockIsReportedWithItsAge() throws Exception {
    AtomicLong clock = new AtomicLong();
    TieredBlockCache cache = caches.openAt(() -> clock.getAndAdd(2 * MINUTE));
    for (int i = 0; i < 3; i++) {
      cache.cacheBlock(TestBlocks.key("file", i), TestBlocks.data("file", i, SIZE));
    }
    Cacheable leaked = cache.getBlock(TestBlocks.key("file", 1), true, false, true);

    await().until(() -> dram("long_pinned_blocks") == 1);
    assertThat(dram("oldest_pin_seconds")).isPositive().matches(age -> age % 120 == 0);
    assertThat(dram("long_pinned_bytes"))
        .isBetween((long) SIZE, SIZE + 1024L)
        .isEqualTo(dram("pinned_bytes"));
    assertThat(cache.getFreeSize()).isEqualTo(dram("capacity_bytes") - dram("used_bytes"));

    leaked.release();
    await().until(() -> dram("long_pinned_blocks") == 0);
    assertThat(dram("pinned_bytes")).isZero();
    assertThat(dram("oldest_pin_seconds")).isZero();
  }

  private static long dram(String figure) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = server.queryNames(new ObjectName("dev.terrace:*"), null).iterator().next();
    return JMX.newMXBeanProxy(server, name, TerraceMXBean.class)
        .getMetrics()
        .get("dram")
        .get(figure)
        .longValue();
  }
}
