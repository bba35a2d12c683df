// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.settings.DirectMemoryNeeds;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Finding.Severity;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TextTable;
import dev.terrace.hbase.settings.TierSpace;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * All memory that a region server may take, part by part, beside what its machine or control group
 * has. The operating system kills a process that takes more, and nothing tells why.
 *
 * @param memory what there is
 * @param megabytes the parts, by their names, each rounded up
 */
public record MemorySum(MachineMemory memory, Map<String, Long> megabytes) {

  /** A smaller part of the memory is too little for the page cache, and for the JVM itself. */
  private static final int LEAST_LEFT_PART = 10;

  private static final long MEGABYTE = 1 << 20;

  /** Copies the map. */
  public MemorySum {
    megabytes = new LinkedHashMap<>(megabytes);
  }

  static MemorySum of(Check.Start start) {
    TerraceSettings settings = start.settings();
    ServerProcess process = start.process();
    MemorySum sum = new MemorySum(process.memory(), Map.of());
    if (process.heapBytes() != Long.MAX_VALUE) {
      sum.add("heap", process.heapBytes());
    }
    sum.add("dram", settings.dramSizeBytes());
    long directBytes = settings.directMemoryBytes();
    sum.add("indexes and buffers", directBytes - settings.dramSizeBytes());
    long leftBytes = Math.max(0, process.directMemoryLimitBytes() - directBytes);
    sum.add("HBase off the heap", Math.min(leftBytes, DirectMemoryNeeds.hbaseBytes(start.site())));
    long thereBytes =
        sum.addTier("pmem on a tmpfs", settings.pmem(), start.paths())
            + sum.addTier("ssd on a tmpfs", settings.ssd(), start.paths());
    if (process.memory().sharedBytes().isPresent()) {
      long besideBytes = process.memory().sharedBytes().getAsLong() - thereBytes;
      // What a process has mapped leaves with it, or is a file of the tiers.
      sum.add("other files on a tmpfs", Math.max(0, besideBytes - process.memory().mappedBytes()));
      // Another group had the tiers' files written: a pod that is gone, or a process outside.
      sum.add("charged elsewhere", Math.min(0, besideBytes));
    }
    return sum;
  }

  private void add(String part, long bytes) {
    if (bytes != 0) {
      megabytes.put(part, Math.floorDiv(bytes + (bytes > 0 ? MEGABYTE - 1 : 0), MEGABYTE));
    }
  }

  /** Adds a tier's files that are memory. Returns how many bytes of them are there already. */
  private long addTier(String part, TierSpace tier, UsablePaths usable) {
    if (!tier.isConfigured()) {
      return 0;
    }
    long pathBytes = PathSplit.of(tier.paths(), tier.sizeBytes()).geometry().sizeBytes();
    long bytes = 0;
    long thereBytes = 0;
    for (Path path : tier.paths()) {
      try {
        if (usable.has(path) && Mounts.ofThisSystem().of(DiskShares.existing(path)).isMemory()) {
          bytes += pathBytes;
          thereBytes +=
              Math.min(CacheFolder.regionsFileBytes(path), usedBytes(DiskShares.existing(path)));
        }
      } catch (IOException e) {
        // The check of the paths reports it.
      }
    }
    String there =
        thereBytes == 0 ? "" : " (" + inMegabytes(thereBytes / MEGABYTE) + " of it are there)";
    add(part + there, bytes);
    return thereBytes;
  }

  /** A file may have holes. */
  private static long usedBytes(Path directory) throws IOException {
    FileStore store = Files.getFileStore(directory);
    return store.getTotalSpace() - store.getUnallocatedSpace();
  }

  private long sum() {
    return megabytes.values().stream().mapToLong(Long::longValue).sum();
  }

  private long memoryMegabytes() {
    return memory.bytes() / MEGABYTE;
  }

  private static String inMegabytes(long number) {
    return TextTable.count(number) + " MB";
  }

  /** A line for each part, for their sum, and for what there is. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    megabytes.forEach((part, size) -> lines.add(line(size, part)));
    lines.add(line(sum(), "together"));
    if (memory.isKnown()) {
      lines.add(line(memoryMegabytes(), "has " + memory.owner()));
    }
    return lines;
  }

  private static String line(long size, String what) {
    return String.format(Locale.ROOT, "%,9d MB  %s", size, what);
  }

  /** The same in one line. */
  @Override
  public String toString() {
    return megabytes.entrySet().stream()
            .map(part -> part.getKey() + " " + inMegabytes(part.getValue()))
            .collect(Collectors.joining(" + "))
        + " = "
        + inMegabytes(sum())
        + ", and "
        + memory.owner()
        + " has "
        + (memory.isKnown() ? inMegabytes(memoryMegabytes()) : "an unknown size");
  }

  /** An error if the parts do not fit, a warning if they leave little. */
  List<Finding> findings() {
    long leftMegabytes = memoryMegabytes() - sum();
    if (!memory.isKnown() || leftMegabytes >= memoryMegabytes() / LEAST_LEFT_PART) {
      return List.of();
    }
    boolean fits = leftMegabytes >= 0;
    long excess = memoryMegabytes() / LEAST_LEFT_PART - leftMegabytes;
    return List.of(
        new Finding(
            fits ? Severity.WARNING : Severity.ERROR,
            (fits ? "little memory is left: " : "the memory does not suffice: ") + this,
            fits
                ? "The page cache, and the JVM's code and threads, need a tenth."
                : "The operating system kills the server when it takes more, without a line in its"
                    + " log. Files on a tmpfs stay, so that the next start ends the same way.",
            "make the heap or tiers smaller by "
                + inMegabytes(excess)
                + ", give the server more memory (MemoryMax of a systemd unit, limits.memory of a"
                + " pod), or delete files on a tmpfs that nobody needs"));
  }
}
