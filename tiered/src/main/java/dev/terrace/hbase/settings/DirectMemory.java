/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase.settings;

import dev.terrace.region.memory.JvmMemory;

/** The direct memory that a JVM may use, and what of it HBase takes. */
public final class DirectMemory {

  /** The way to raise the limit, for error messages. */
  public static final String HOW_TO_RAISE =
      "-XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE in hbase-env.sh)";

  /** The buffers of Netty for connections, and what the JDK's channels take. */
  private static final long NETWORK_BYTES = 64L << 20;

  private static final String MAX_BUFFERS = "hbase.server.allocator.max.buffer.count";
  private static final String BUFFER_SIZE = "hbase.server.allocator.buffer.size";
  private static final String POOLED = "hbase.server.allocator.pool.enabled";
  private static final String HANDLERS = "hbase.regionserver.handler.count";

  private DirectMemory() {}

  /** The limit of this JVM in bytes; {@link Long#MAX_VALUE} if it is unknown. */
  public static long limitBytes() {
    return JvmMemory.limitBytes();
  }

  /** The bytes that HBase itself takes: the pool of its RPC server as HBase sizes it, and more. */
  public static long hbaseBytes(SiteValues site) {
    return NETWORK_BYTES + rpcPoolBytes(site);
  }

  /** The bytes that the index of a tier takes, with blocks of the usual size. */
  public static long indexBytes(TierSpace space) {
    return DirectMemoryNeeds.ofPmem(space);
  }

  private static long rpcPoolBytes(SiteValues site) {
    if (site.get(POOLED).filter("false"::equalsIgnoreCase).isPresent()) {
      return 0;
    }
    long bufferBytes = Math.max(1, site.wholeNumber(BUFFER_SIZE, 65 * 1024));
    // Twice what a response of 2 MB takes, for each handler.
    long usualBuffers = site.wholeNumber(HANDLERS, 30) * ((2 << 20) / bufferBytes) * 2;
    return site.wholeNumber(MAX_BUFFERS, usualBuffers) * bufferBytes;
  }

  /** The sentence that tells which limit is enough for the tiers and HBase. */
  public static String raiseFor(long tiersBytes, SiteValues site) {
    return "raise the limit by "
        + HOW_TO_RAISE
        + " to at least "
        + ByteSize.megabytes(tiersBytes + hbaseBytes(site));
  }
}
