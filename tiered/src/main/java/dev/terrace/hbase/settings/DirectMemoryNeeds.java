// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.api.BlockInfo;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;

/** Estimates the direct memory that the tiers on PMem and SSD take, and that HBase itself takes. */
public final class DirectMemoryNeeds {

  /** How to raise the limit, for error messages. */
  public static final String HOW_TO_RAISE =
      "-XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE in hbase-env.sh)";

  private static final int INDEX_BYTES_PER_BLOCK = 32;

  /** Regions on their way to a disk: one is open, the others are being written. */
  private static final long WRITE_BUFFERS_PER_PATH = 3;

  /** Netty's buffers for connections, and the buffers of the JDK's channels. */
  private static final long NETWORK_BYTES = 64L << 20;

  private static final String MAX_BUFFERS = "hbase.server.allocator.max.buffer.count";
  private static final String BUFFER_SIZE = "hbase.server.allocator.buffer.size";
  private static final String POOLED = "hbase.server.allocator.pool.enabled";

  /** In megabytes. */
  private static final String MEMSTORES = "hbase.regionserver.offheap.global.memstore.size";

  private static final String HANDLERS = "hbase.regionserver.handler.count";

  private DirectMemoryNeeds() {}

  /** The error that the JVM has no direct memory left for a DRAM tier. */
  public static String noneLeftFor(long dramBytes) {
    return "%s is more than the direct memory that this JVM has left: raise its limit by %s, or make the tier smaller"
        .formatted(TerraceSettings.DRAM_SIZE.with(dramBytes), HOW_TO_RAISE);
  }

  /** The bytes that a tier's index takes, for blocks of the usual size. */
  public static long indexBytes(TierSpace space) {
    return space.sizeBytes() / BlockInfo.USUAL_BYTES * INDEX_BYTES_PER_BLOCK;
  }

  static long ssdBytes(TierSpace space) {
    if (!space.isConfigured()) {
      return 0;
    }
    long regionBytes = space.split().regionBytes();
    long writeBytes = space.paths().size() * WRITE_BUFFERS_PER_PATH * regionBytes;
    return indexBytes(space) + writeBytes;
  }

  /**
   * The bytes that HBase itself takes: its RPC server's buffer pool as HBase sizes it, off-heap
   * memstores if there are any, and network buffers.
   */
  public static long hbaseBytes(SiteValues site) {
    return NETWORK_BYTES + rpcPoolBytes(site) + (site.wholeNumber(MEMSTORES, 0) << 20);
  }

  public static long handlers(SiteValues site) {
    return site.wholeNumber(HANDLERS, 30);
  }

  private static long rpcPoolBytes(SiteValues site) {
    if (site.get(POOLED).filter("false"::equalsIgnoreCase).isPresent()) {
      return 0;
    }
    long bufferBytes = Math.max(1, site.wholeNumber(BUFFER_SIZE, 65 * 1024));
    // HBase's default: for each handler, twice the buffers of a response of 2 MB.
    long usualBuffers = handlers(site) * ((2 << 20) / bufferBytes) * 2;
    return site.wholeNumber(MAX_BUFFERS, usualBuffers) * bufferBytes;
  }

  /** The advice to raise the limit to what the tiers and HBase need. */
  public static String raiseFor(long tiersBytes, SiteValues site) {
    return "raise the limit by "
        + HOW_TO_RAISE
        + " to at least "
        + ByteSize.megabytes(tiersBytes + hbaseBytes(site));
  }
}
