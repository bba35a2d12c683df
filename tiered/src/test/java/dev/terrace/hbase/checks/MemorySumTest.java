// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.ConfigurationSite;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.region.folder.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of a machine or control group beside all that a server may take. */
class MemorySumTest {

  private static final long MB = 1L << 20;
  private static final long GB = 1L << 30;
  private static final long UNKNOWN = Long.MAX_VALUE;

  /** With the 30 handlers of HBase, and 64 MB for connections. */
  private static final long HBASE_MB = 183;

  @TempDir Path temporary;

  private static MachineMemory group(long bytes, long sharedBytes, long mappedBytes) {
    return new MachineMemory(
        bytes, "the control group /pods/1", OptionalLong.of(sharedBytes), mappedBytes);
  }

  private static StartChecks check(long heapBytes, MachineMemory memory, String... keysAndValues) {
    return StartChecks.of(
        new ConfigurationSite(OpenCaches.conf(keysAndValues)),
        new ServerProcess(heapBytes, UNKNOWN, memory, 17, Optional.empty()));
  }

  private static List<Finding> find(long heapBytes, long memoryBytes, String... keysAndValues) {
    return ofMemory(check(heapBytes, MachineMemory.ofMachine(memoryBytes), keysAndValues));
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
    long taken = 12 * GB + HBASE_MB * MB;
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
            error -> {
              assertThat(error.isError()).isTrue();
              assertThat(error.what())
                  .contains(
                      "heap 4,096 MB + dram 8,192 MB + HBase off the heap 183 MB = 12,471 MB");
              // A tenth of it, and the megabyte that lacks.
              assertThat(error.remedy()).contains("smaller by 1,248 MB");
            });
  }

  /** As at the start, but with the memory that there is now. */
  @Test
  void growthMustFitTooWhileTheServerRuns() {
    StartChecks start = check(GB, MachineMemory.ofThisProcess(), "hbase.terrace.dram.size", "16m");
    StartChecks huge = check(GB, MachineMemory.ofThisProcess(), "hbase.terrace.dram.size", "900g");
    StartChecks small = check(GB, MachineMemory.ofThisProcess(), "hbase.terrace.dram.size", "17m");
    assertThat(start.ofGrowth(small.settings())).isEmpty();
    assertThat(start.ofGrowth(huge.settings()))
        .singleElement()
        .satisfies(error -> assertThat(error.what()).contains("dram 921,600 MB"));
  }

  @Test
  void memstoresOffTheHeapCount() {
    StartChecks checks =
        check(
            GB,
            MachineMemory.ofMachine(64 * GB),
            "hbase.terrace.dram.size",
            "1g",
            "hbase.regionserver.offheap.global.memstore.size",
            "2048");
    assertThat(checks.memory().toString()).contains("HBase off the heap 2,231 MB = 4,279 MB");
  }

  @Test
  void filesInMemoryAreMemory() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), 2 * GB)) {
      String[] pmem = {
        "hbase.terrace.pmem.paths", disk.directory().toString(), "hbase.terrace.pmem.size", "1g"
      };
      assertThat(find(GB / 2, 2 * GB, pmem)).isEmpty();
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
  void whatAnEarlierLifeLeftIsNamed() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), 2 * GB)) {
      Path folder = disk.directory().resolve("terrace");
      Files.createDirectory(folder);
      Files.write(folder.resolve("regions"), new byte[300 << 20]);
      String[] pmem = {
        "hbase.terrace.pmem.paths", disk.directory().toString(), "hbase.terrace.pmem.size", "1g"
      };
      long heap = 512 * MB;
      // All of it is charged here, and nothing else: it is part of the tier.
      assertThat(check(heap, group(GB, 300 * MB, 0), pmem).memory().lines())
          .containsExactly(
              "      512 MB  heap",
              "       16 MB  dram",
              "        1 MB  indexes and buffers",
              "      183 MB  HBase off the heap",
              "    1,024 MB  pmem on a tmpfs (300 MB of it are there)",
              "    1,736 MB  together",
              "    1,024 MB  has the control group /pods/1");
      // Other files are charged, too; what a process has mapped leaves with it.
      assertThat(check(heap, group(GB, 900 * MB, 100 * MB), pmem).memory().toString())
          .contains(" + other files on a tmpfs 500 MB = 2,236 MB");
      // The tier's pages were written in another group.
      assertThat(check(heap, group(GB, 100 * MB, 0), pmem).memory().toString())
          .contains(" + charged elsewhere -200 MB = 1,536 MB");
      // Without the tier its files stay charged.
      assertThat(
              ofMemory(check(heap, group(GB, 900 * MB, 0), "hbase.terrace.dram.size", "64m"))
                  .get(0))
          .satisfies(
              error -> {
                assertThat(error.isError()).isTrue();
                assertThat(error.what()).contains("other files on a tmpfs 900 MB");
                assertThat(error.remedy()).contains("delete files on a tmpfs that nobody needs");
              });
    }
  }

  @Test
  void filesOnADiskAreNot() {
    String[] ssd = {
      "hbase.terrace.ssd.paths", temporary.toString(), "hbase.terrace.ssd.size", "1g"
    };
    assertThat(find(UNKNOWN, GB / 2, ssd)).isEmpty();
  }
}
