// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import dev.terrace.api.BlockInfo;
import dev.terrace.dram.DramConfig;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.DirectMemoryNeeds;
import dev.terrace.hbase.settings.Finding.Severity;
import dev.terrace.hbase.settings.Findings;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.hbase.settings.TextTable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The memory that a region server may take, and the memory of its machine or control group. The
 * operating system kills a process that takes more, without a message. Checks also whether HBase
 * has enough direct memory and heap beside the tiers. An unknown limit counts as enough.
 */
public final class MemoryCheck {

  /** Inverse of the share of the heap that the DRAM tier's blocks may always take. */
  private static final int MIN_HEAP_PART = 10;

  /** Heap bytes for each block on PMem or SSD: the policies' history, at most. */
  private static final int HEAP_PER_LOWER_BLOCK = 22;

  private static final String MEMSTORE_SHARE = "hbase.regionserver.global.memstore.size";
  private static final String OLD_MEMSTORE_SHARE = "hbase.regionserver.global.memstore.upperLimit";
  private static final double USUAL_SHARE = 0.4;

  /** HBase keeps a fifth of the heap free. */
  private static final double HBASE_SHARE = 0.8;

  /** Lower bound of the share of the heap that is left. */
  private static final double MIN_SHARE = 0.01;

  private static final String JVM = "JVM";

  /** The page cache needs at least one part in this many of the memory. */
  private static final int MIN_LEFT_PART = 10;

  private static final long MEGABYTE = 1 << 20;

  private final SiteValues site;
  private final TerraceSettings settings;
  private final ServerProcess process;

  /** Negative if it is unknown. */
  private final long machineMegabytes;

  private final Map<String, Long> megabytes = new LinkedHashMap<>();

  MemoryCheck(SiteValues site, TerraceSettings settings, PathCheck paths, ServerProcess process) {
    this.site = site;
    this.settings = settings;
    this.process = process;
    long machineBytes = process.memoryBytes();
    machineMegabytes = machineBytes == Long.MAX_VALUE ? -1 : machineBytes / MEGABYTE;
    long directBytes = settings.directMemoryBytes();
    long leftBytes = Math.max(0, process.directMemoryLimitBytes() - directBytes);
    add("heap", process.heapBytes() == Long.MAX_VALUE ? 0 : process.heapBytes());
    add(JVM, process.nativeBytes());
    add("dram", settings.dramSizeBytes());
    add("indexes and buffers", directBytes - settings.dramSizeBytes());
    add("HBase off the heap", Math.min(leftBytes, DirectMemoryNeeds.hbaseBytes(site)));
    add("pmem on a tmpfs", bytesInMemory(settings.pmem(), paths));
    add("ssd on a tmpfs", bytesInMemory(settings.ssd(), paths));
  }

  private void add(String part, long bytes) {
    if (bytes > 0) {
      megabytes.put(part, (bytes + MEGABYTE - 1) / MEGABYTE);
    }
  }

  private static long bytesInMemory(TierSpace tier, PathCheck paths) {
    return tier.paths().stream()
        .filter(paths::isInMemory)
        .mapToLong(path -> tier.split().geometry(path).sizeBytes())
        .sum();
  }

  void check(Findings findings) {
    checkDirectMemory(findings);
    checkShares(findings);
    checkHeap(findings);
    checkSum(findings);
  }

  /**
   * Checks whether the server has little memory left, or would be killed. It is refused only if the
   * parts do not fit that are no estimate.
   */
  private void checkSum(Findings findings) {
    long leftMegabytes = machineMegabytes - sum();
    long wantedMegabytes = machineMegabytes / MIN_LEFT_PART;
    if (machineMegabytes < 0 || leftMegabytes >= wantedMegabytes) {
      return;
    }
    boolean fits = leftMegabytes >= 0;
    boolean mayFit = leftMegabytes + megabytes.getOrDefault(JVM, 0L) >= 0;
    findings.add(
        fits ? Severity.WARNING : mayFit ? Severity.KILLED : Severity.ERROR,
        fits ? "little-memory" : "no-memory",
        this,
        text(wantedMegabytes - leftMegabytes));
  }

  private long sum() {
    return megabytes.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String text(long megabytes) {
    return TextTable.count(megabytes) + " MB";
  }

  @Override
  public String toString() {
    return megabytes.entrySet().stream()
            .map(part -> part.getKey() + " " + text(part.getValue()))
            .collect(Collectors.joining(" + "))
        + " = "
        + text(sum())
        + ", and the machine or control group has "
        + (machineMegabytes < 0 ? "an unknown size" : text(machineMegabytes));
  }

  private void checkDirectMemory(Findings findings) {
    long limitBytes = process.directMemoryLimitBytes();
    long takenBytes = settings.directMemoryBytes();
    long leftBytes = limitBytes - takenBytes;
    long wantedBytes = DirectMemoryNeeds.hbaseBytes(site);
    if (leftBytes >= 0 && leftBytes < wantedBytes) {
      findings.warning(
          "little-direct-memory",
          ByteSize.readable(takenBytes),
          ByteSize.readable(limitBytes),
          ByteSize.readable(leftBytes),
          ByteSize.readable(wantedBytes),
          DirectMemoryNeeds.raiseFor(takenBytes, site));
    }
  }

  /** The heap that full tiers take for their blocks, in bytes. Small blocks take more. */
  public static long heapBytes(TerraceSettings settings) {
    long dramBlocks = settings.dramSizeBytes() / BlockInfo.USUAL_BYTES;
    return dramBlocks * DramConfig.HEAP_PER_BLOCK + lowerHeapBytes(settings);
  }

  private static long lowerHeapBytes(TerraceSettings settings) {
    long lowerBytes = settings.pmem().sizeBytes() + settings.ssd().sizeBytes();
    return lowerBytes / BlockInfo.USUAL_BYTES * HEAP_PER_LOWER_BLOCK;
  }

  /**
   * The limit of the heap for the DRAM tier's blocks, in bytes, however small the blocks are.
   *
   * @param heapBytes the maximum size of the Java heap
   */
  public static long dramHeapBytes(SiteValues site, TerraceSettings settings, long heapBytes) {
    long leftBytes = (long) (heapBytes * leftShare(site)) - lowerHeapBytes(settings);
    return Math.max(leftBytes, heapBytes / MIN_HEAP_PART);
  }

  /**
   * Checks what HBase checks at its start. The entry point of a class gives the cache's heap back
   * first.
   */
  private void checkShares(Findings findings) {
    boolean hasCache = !EntryKeys.of(site).contains(EntryKeys.REGION_SERVER_CLASS);
    Stream.of(MEMSTORE_SHARE, OLD_MEMSTORE_SHARE, EntryKeys.HEAP_CACHE_SHARE)
        .filter(key -> hasCache || !key.equals(EntryKeys.HEAP_CACHE_SHARE))
        .filter(key -> site.get(key).isPresent() && Double.isNaN(site.number(key, Double.NaN)))
        .forEach(key -> findings.error("heap-share", key, site.get(key, "")));
    double memstore = memstoreShare(site);
    double cache = hasCache ? site.number(EntryKeys.HEAP_CACHE_SHARE, USUAL_SHARE) : 0;
    if (percent(memstore) + percent(cache) > percent(HBASE_SHARE)) {
      double fitting = (percent(HBASE_SHARE) - percent(memstore)) / 100.0;
      findings.error("heap-shares", memstore, cache, fitting);
    }
  }

  /** As HBase computes it. */
  private static int percent(double share) {
    return (int) ((float) share * 100);
  }

  private static double memstoreShare(SiteValues site) {
    double share = site.number(MEMSTORE_SHARE, site.number(OLD_MEMSTORE_SHARE, USUAL_SHARE));
    return share > 0 && percent(share) <= percent(HBASE_SHARE) ? share : USUAL_SHARE;
  }

  /** The share of the heap that memstores, HBase's own cache and HBase's reserve leave. */
  private static double leftShare(SiteValues site) {
    double cache =
        EntryKeys.isExternal(site) ? site.number(EntryKeys.HEAP_CACHE_SHARE, USUAL_SHARE) : 0;
    return Math.max(MIN_SHARE, HBASE_SHARE - memstoreShare(site) - cache);
  }

  private void checkHeap(Findings findings) {
    long wantedBytes = heapBytes(settings);
    double share = leftShare(site);
    long leftBytes = (long) (process.heapBytes() * share);
    if (wantedBytes > leftBytes) {
      findings.warning(
          "heap",
          ByteSize.readable(wantedBytes),
          ByteSize.readable(process.heapBytes()),
          ByteSize.readable(leftBytes),
          ByteSize.megabytes((long) (wantedBytes / share)));
    }
  }
}
