// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.api.BlockInfo;
import dev.terrace.dram.DramConfig;
import dev.terrace.hbase.checks.HBaseCheck.HeapShares;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.DirectMemoryNeeds;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Checks whether HBase has enough direct memory and heap beside the tiers. A server of which one of
 * them is not known counts as having enough.
 */
public final class MemoryCheck {

  /** The DRAM tier's blocks may take this part of the heap even if nothing is left. */
  private static final int LEAST_HEAP_PART = 10;

  /** Of a block on PMem or SSD: what the policies remember, at most. */
  private static final int HEAP_A_LOWER_BLOCK = 22;

  private MemoryCheck() {}

  static List<Finding> findings(SiteValues site, TerraceSettings settings, ServerProcess process) {
    List<Finding> findings = new ArrayList<>();
    checkDirectMemory(site, settings, process, findings);
    checkHeap(site, settings, process, findings);
    return findings;
  }

  private static void checkDirectMemory(
      SiteValues site, TerraceSettings settings, ServerProcess process, List<Finding> findings) {
    long limitBytes = process.directMemoryLimitBytes();
    long takenBytes = settings.directMemoryBytes();
    long leftBytes = limitBytes - takenBytes;
    long wantedBytes = DirectMemoryNeeds.hbaseBytes(site);
    if (leftBytes < 0 || leftBytes >= wantedBytes) {
      return;
    }
    findings.add(
        Finding.warning(
            "the tiers take "
                + ByteSize.readable(takenBytes)
                + " of the "
                + ByteSize.readable(limitBytes)
                + " of direct memory, and leave "
                + ByteSize.readable(leftBytes)
                + " to HBase",
            "HBase takes up to "
                + ByteSize.readable(wantedBytes)
                + " for RPC buffers and connections. Where there is none left, requests fail.",
            DirectMemoryNeeds.raiseFor(takenBytes, site) + ", or make a tier smaller"));
  }

  /** The heap that the blocks of full tiers take, in bytes; more if they are small. */
  public static long heapBytes(TerraceSettings settings) {
    long dramBlocks = settings.dramSizeBytes() / BlockInfo.USUAL_BYTES;
    return dramBlocks * DramConfig.HEAP_A_BLOCK + lowerHeapBytes(settings);
  }

  private static long lowerHeapBytes(TerraceSettings settings) {
    long lowerBytes = settings.pmem().sizeBytes() + settings.ssd().sizeBytes();
    return lowerBytes / BlockInfo.USUAL_BYTES * HEAP_A_LOWER_BLOCK;
  }

  /**
   * The heap that the blocks of the DRAM tier may take, in bytes, however small they are.
   *
   * @param heapBytes the largest size of the Java heap
   */
  public static long dramHeapBytes(SiteValues site, TerraceSettings settings, long heapBytes) {
    long leftBytes = leftBytes(site, heapBytes) - lowerHeapBytes(settings);
    return Math.max(leftBytes, heapBytes / LEAST_HEAP_PART);
  }

  /** What neither memstores nor HBase's own cache take, nor HBase keeps free. */
  private static long leftBytes(SiteValues site, long heapBytes) {
    return (long) (heapBytes * HeapShares.of(site).leftForOthers());
  }

  private static void checkHeap(
      SiteValues site, TerraceSettings settings, ServerProcess process, List<Finding> findings) {
    long wantedBytes = heapBytes(settings);
    double share = HeapShares.of(site).leftForOthers();
    long leftBytes = leftBytes(site, process.heapBytes());
    if (wantedBytes <= leftBytes) {
      return;
    }
    findings.add(
        Finding.warning(
            "the bookkeeping of full tiers takes about "
                + ByteSize.readable(wantedBytes)
                + " of the heap of "
                + ByteSize.readable(process.heapBytes()),
            String.format(
                Locale.ROOT,
                "Beside memstores, HBase's own cache and the fifth that HBase keeps free, %s are"
                    + " left: long collections, or no memory.",
                ByteSize.readable(leftBytes)),
            "raise HBASE_HEAPSIZE to at least "
                + ByteSize.megabytes((long) (wantedBytes / share))
                + ", or make a tier smaller"));
  }
}
