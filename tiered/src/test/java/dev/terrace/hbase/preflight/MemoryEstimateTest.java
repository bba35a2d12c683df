// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.region.folder.SmallDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of a machine or control group beside all that a server may take. */
class MemoryEstimateTest {

  private static final long MB = 1L << 20;
  private static final long GB = 1L << 30;
  private static final long UNKNOWN = Long.MAX_VALUE;

  /** What the JVM takes beside heap and direct memory. */
  private static final long NATIVE_MB = 300;

  /** With the 30 handlers of HBase, and 64 MB for connections. */
  private static final long HBASE_MB = 183;

  @TempDir Path temporary;

  private static StartChecks check(long heapBytes, long memoryBytes, String... keysAndValues) {
    return new StartChecks(
        new SiteValues(OpenCaches.conf(keysAndValues)),
        new ServerProcess(heapBytes, UNKNOWN, NATIVE_MB * MB, memoryBytes, "2.6.4"));
  }

  private static List<Finding> find(long heapBytes, long memoryBytes, String... keysAndValues) {
    return ofMemory(check(heapBytes, memoryBytes, keysAndValues));
  }

  private static List<Finding> ofMemory(StartChecks checks) {
    List<Finding> findings = new ArrayList<>(checks.errors());
    findings.addAll(checks.warnings());
    findings.removeIf(finding -> !finding.what().contains("heap "));
    return findings;
  }

  @Test
  void allPartsMustFit() {
    String[] dram = {"hbase.terrace.dram.size", "8g"};
    long taken = 12 * GB + (HBASE_MB + NATIVE_MB) * MB;
    assertThat(find(4 * GB, UNKNOWN, dram)).isEmpty();
    assertThat(find(4 * GB, taken * 10 / 9 + 10 * MB, dram)).isEmpty();
    assertThat(find(4 * GB, taken * 10 / 9 - 10 * MB, dram))
        .singleElement()
        .satisfies(warning -> assertThat(warning.isError()).isFalse());
    assertThat(find(4 * GB, taken, dram))
        .singleElement()
        .satisfies(warning -> assertThat(warning.isError()).isFalse());
    assertThat(find(4 * GB, taken - MB, dram))
        .singleElement()
        .satisfies(
            killed -> {
              assertThat(killed.severity()).isEqualTo(Finding.Severity.KILLED);
              assertThat(killed.isError()).isFalse();
              assertThat(killed.what())
                  .contains(
                      "heap 4,096 MB + JVM 300 MB + dram 8,192 MB"
                          + " + HBase off the heap 183 MB = 12,771 MB");
              // A tenth of it, and the megabyte that lacks.
              assertThat(killed.remedy()).contains("smaller by 1,278 MB");
            });
    assertThat(find(4 * GB, taken - NATIVE_MB * MB, dram))
        .as("only what the JVM takes is an estimate")
        .singleElement()
        .satisfies(killed -> assertThat(killed.isError()).isFalse());
    assertThat(find(4 * GB, taken - (NATIVE_MB + 1) * MB, dram))
        .singleElement()
        .satisfies(error -> assertThat(error.isError()).isTrue());
  }

  /** As at the start, but with the memory that there is now. */
  @Test
  void growthMustFitTooWhileTheServerRuns() {
    StartChecks start = check(GB, ServerProcess.machineBytes(), "hbase.terrace.dram.size", "16m");
    StartChecks huge = check(GB, ServerProcess.machineBytes(), "hbase.terrace.dram.size", "900g");
    StartChecks small = check(GB, ServerProcess.machineBytes(), "hbase.terrace.dram.size", "17m");
    assertThat(start.ofGrowth(small.settings())).isEmpty();
    assertThat(start.ofGrowth(huge.settings()))
        .filteredOn(Finding::isError)
        .singleElement()
        .satisfies(error -> assertThat(error.what()).contains("dram 921,600 MB"));
  }

  /** A pod of 900 MB whose heap and tiers fit, and which the kernel killed. */
  @Test
  void theJvmsOwnMemoryCounts() {
    assertThat(find(640 * MB, 900 * MB, "hbase.terrace.dram.size", "64m"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Finding.Severity.KILLED));
  }

  /** As at the start: there is enough, and HBase's share of it would be small. */
  @Test
  void growthThatMakesDirectMemoryScarceIsAWarning() {
    StartChecks start =
        new StartChecks(
            new SiteValues(OpenCaches.conf("hbase.terrace.dram.size", "48m")),
            new ServerProcess(GB, 400 * MB, 0, ServerProcess.machineBytes(), "2.6.4"));
    StartChecks grown = check(GB, 64 * GB, "hbase.terrace.dram.size", "300m");
    assertThat(start.warnings()).noneMatch(finding -> finding.what().contains("direct memory"));
    assertThat(start.ofGrowth(grown.settings()))
        .filteredOn(finding -> finding.what().contains("direct memory"))
        .singleElement()
        .satisfies(warning -> assertThat(warning.isError()).isFalse())
        .satisfies(warning -> assertThat(warning.what()).contains("300 MB", "100 MB"));
  }

  @Test
  void memstoresOffTheHeapCount() {
    StartChecks checks =
        check(
            GB,
            64 * GB,
            "hbase.terrace.dram.size",
            "1g",
            "hbase.regionserver.offheap.global.memstore.size",
            "2048");
    assertThat(checks.memory().toString()).contains("HBase off the heap 2,231 MB = 4,579 MB");
  }

  @Test
  void filesInMemoryAreMemory() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), 2 * GB)) {
      String[] pmem = {
        "hbase.terrace.pmem.paths", disk.directory().toString(), "hbase.terrace.pmem.size", "1g"
      };
      assertThat(find(GB / 2, 3 * GB, pmem)).isEmpty();
      assertThat(find(GB / 2, GB, pmem))
          .singleElement()
          .satisfies(
              error -> {
                assertThat(error.isError()).isTrue();
                assertThat(error.what()).contains("pmem on a tmpfs 1,024 MB");
              });
    }
  }

  @Test
  void thePartsAreListed() {
    assertThat(check(512 * MB, GB, "hbase.terrace.dram.size", "64m").memory())
        .hasToString(
            "heap 512 MB + JVM 300 MB + dram 64 MB + HBase off the heap 183 MB = 1,059 MB, and the"
                + " machine or control group has 1,024 MB");
  }

  @Test
  void filesOnADiskAreNot() {
    String[] ssd = {
      "hbase.terrace.ssd.paths", temporary.toString(), "hbase.terrace.ssd.size", "2g"
    };
    assertThat(find(UNKNOWN, GB, ssd)).isEmpty();
  }
}
