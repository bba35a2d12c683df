// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * The private field in which a region server keeps its block cache. The region server reads the
 * field directly in many places, so the field itself must be set.
 */
final class RegionServerCache {

  private static final String FIELD = "blockCache";

  private final HRegionServer server;
  private final VarHandle field;

  /**
   * Finds the field.
   *
   * @throws IllegalStateException if this HBase has no such field, or the JVM denies access
   */
  RegionServerCache(HRegionServer server) {
    this.server = server;
    try {
      this.field =
          MethodHandles.privateLookupIn(HRegionServer.class, MethodHandles.lookup())
              .findVarHandle(HRegionServer.class, FIELD, BlockCache.class);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw unusable(FIELD, e);
    }
  }

  /**
   * What is thrown for a private field of the region server that is not there, or not to be had.
   */
  static IllegalStateException unusable(String field, Throwable cause) {
    return new IllegalStateException(
        "Terrace does not know this version of HBase: "
            + HRegionServer.class.getName()
            + "."
            + field
            + " cannot be used",
        cause);
  }

  BlockCache get() {
    return (BlockCache) field.get(server);
  }

  void set(BlockCache cache) {
    field.set(server, cache);
  }
}
