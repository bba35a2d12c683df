// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.settings.DirectMemoryNeeds;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.ReadSettings;
import dev.terrace.hbase.settings.SiteValues;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Direct memory and heap beside the tiers. */
class MemoryCheckTest {

  private static final long GB = 1L << 30;
  private static final long UNKNOWN = Long.MAX_VALUE;

  private static StartChecks check(long heapBytes, long directBytes, String... keysAndValues) {
    return new StartChecks(
        site(keysAndValues), new ServerProcess(heapBytes, directBytes, 0, Long.MAX_VALUE, "2.6.4"));
  }

  private static SiteValues site(String... keysAndValues) {
    return new SiteValues(OpenCaches.conf(keysAndValues));
  }

  private static Finding onlyWarning(StartChecks checks) {
    assertThat(checks.errors()).isEmpty();
    List<Finding> warnings = checks.warnings();
    assertThat(warnings).hasSize(1);
    return warnings.get(0);
  }

  @Test
  void aTierAboveTheLimitIsAnError() {
    assertThat(check(UNKNOWN, 8 * GB, "hbase.terrace.dram.size", "9g").errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.what()).contains("the tiers take 9 GB", "the JVM allows only 8 GB");
              assertThat(error.remedy())
                  .contains("HBASE_OFFHEAPSIZE", "to at least 9399m, or make a tier smaller");
            });
  }

  @Test
  void hbaseNeedsDirectMemoryToo() {
    Finding warning =
        onlyWarning(check(UNKNOWN, 8 * GB + (100 << 20), "hbase.terrace.dram.size", "8g"));

    assertThat(warning.what())
        .isEqualTo("the tiers take 8 GB of 8.1 GB of direct memory, which leaves 100 MB for HBase");
    assertThat(warning.remedy()).contains("to at least 8375m");
    assertThat(check(UNKNOWN, 9 * GB, "hbase.terrace.dram.size", "8g").warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.nothing, 1",
    "hbase.regionserver.handler.count, 100",
    "hbase.server.allocator.max.buffer.count, 500",
    "hbase.server.allocator.buffer.size, 131072",
    "hbase.server.allocator.pool.enabled, false"
  })
  void hbasesPoolIsAsLargeAsHBaseMakesIt(String key, String value) {
    Configuration conf = OpenCaches.conf(key, value);
    boolean pooled = conf.getBoolean(ByteBuffAllocator.ALLOCATOR_POOL_ENABLED_KEY, true);
    ByteBuffAllocator pool = ByteBuffAllocator.create(conf, pooled);
    long poolBytes = pooled ? (long) pool.getTotalBufferCount() * pool.getBufferSize() : 0;

    assertThat(DirectMemoryNeeds.hbaseBytes(new SiteValues(conf)))
        .isEqualTo(poolBytes + (64 << 20));
  }

  @Test
  void theBookkeepingOfTheBlocksFitsBesideTheMemstores() {
    // 3 × 2^20 blocks of 440 bytes are 1.3 GB; memstores have 0.4 of the heap, and 0.2 are free.
    Finding warning = onlyWarning(check(3 * GB, UNKNOWN, "hbase.terrace.dram.size", "192g"));

    assertThat(warning.what())
        .isEqualTo("the bookkeeping of full tiers takes about 1.3 GB of the heap of 3 GB");
    assertThat(warning.remedy()).contains("HBASE_HEAPSIZE to at least 3301m");
    assertThat(check(4 * GB, UNKNOWN, "hbase.terrace.dram.size", "192g").warnings()).isEmpty();
    assertThat(
            check(
                    4 * GB,
                    UNKNOWN,
                    "hbase.terrace.dram.size",
                    "192g",
                    "hbase.regionserver.global.memstore.size",
                    "0.6")
                .warnings())
        .hasSize(1);
  }

  private static long dramHeapBytes(String... keysAndValues) {
    SiteValues site = site(keysAndValues);
    return MemoryCheck.dramHeapBytes(site, ReadSettings.of(site), 10 * GB);
  }

  @Test
  void blocksInDramMayTakeTheHeapThatIsLeft() {
    String dram = "hbase.terrace.dram.size";
    assertThat(dramHeapBytes(dram, "64m")).isEqualTo(4 * GB);
    assertThat(dramHeapBytes(dram, "64m", "hbase.regionserver.global.memstore.size", "0.6"))
        .isEqualTo(2 * GB);
    assertThat(dramHeapBytes(dram, "64m", "hbase.regionserver.global.memstore.size", "0.8"))
        .as("a tenth at least")
        .isEqualTo(GB);
  }
}
