// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.checks.MemoryCheck;
import dev.terrace.hbase.checks.ServerProcess;
import dev.terrace.hbase.settings.DirectMemoryNeeds;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.region.device.IoLimits;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * Limits on the server's resources: heap and direct memory for small blocks, page cache, and
 * handlers inside one SSD path.
 *
 * @param dramHeapBytes Java heap for the objects of the blocks in DRAM
 * @param sparedBytes direct memory that an index leaves to HBase when it is larger than planned
 * @param pageCacheBytes memory of the machine, or container, that the JVM never takes
 * @param ssdReaders most callers inside one SSD path, which a disk that hangs may hold
 */
record ServerBounds(long dramHeapBytes, long sparedBytes, long pageCacheBytes, int ssdReaders) {

  private static final double SHARE_OF_HANDLERS = 0.4;
  private static final int MOST_READERS = 1000;

  /** The bounds in this process. */
  static ServerBounds of(SiteValues site, TerraceSettings settings) {
    ServerProcess process = ServerProcess.current(VersionInfo.getVersion());
    return new ServerBounds(
        MemoryCheck.dramHeapBytes(site, settings, process.heapBytes()),
        DirectMemoryNeeds.hbaseBytes(site),
        process.pageCacheBytes(),
        ssdReaders(site));
  }

  /** So many of the handlers that the others go on when a disk hangs. */
  private static int ssdReaders(SiteValues site) {
    long ofHandlers = (long) (DirectMemoryNeeds.handlers(site) * SHARE_OF_HANDLERS);
    return (int) Math.max(IoLimits.USUAL_READERS, Math.min(MOST_READERS, ofHandlers));
  }
}
