// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.RegionTier;
import dev.terrace.tiered.TieredCache;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ShutdownHookTest {

  @RegisterExtension final TestTiers opened = new TestTiers();

  @Test
  void theCacheIsClosedThoughItsLastDemotionEndsWithAnError() {
    AtomicInteger closed = new AtomicInteger();
    ShutdownHook hook =
        new ShutdownHook(
            () -> {
              throw new StackOverflowError("as asked");
            },
            closed::incrementAndGet,
            List.of(),
            Thread::new);
    hook.closeAndWait();
    assertThat(closed).hasValue(1);
  }

  @Test
  void hbaseStopsThoughNoThreadCanBeStarted(@TempDir Path folder) {
    TieredCache<Cacheable> tiers =
        opened.open(
            "hbase.terrace.dram.size",
            "0",
            "hbase.terrace.ssd.paths",
            folder.toString(),
            "hbase.terrace.ssd.size",
            "64m");
    AtomicInteger closed = new AtomicInteger();
    ShutdownHook hook =
        new ShutdownHook(
            () -> {},
            () -> {
              closed.incrementAndGet();
              tiers.close();
            },
            opened.all().stream().map(tier -> (RegionTier<?>) tier).toList(),
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });

    hook.close();
    assertThat(closed).as("closed before the end of the JVM").hasValue(0);
    hook.closeAndWait();
    assertThat(closed).hasValue(1);
  }
}
