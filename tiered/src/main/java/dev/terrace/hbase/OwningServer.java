// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.files.OnlineRegion;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.lang3.ThreadUtils;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** The region server that uses a cache, if it is known. Thread-safe. */
final class OwningServer {

  private final boolean searches;
  private volatile BlockCache cache;
  private volatile HRegionServer server;

  /**
   * An unknown server.
   *
   * @param searches whether to search the process's threads for the server that uses the cache
   */
  OwningServer(boolean searches) {
    this.searches = searches;
  }

  void uses(BlockCache itsCache) {
    cache = itsCache;
  }

  void set(HRegionServer known) {
    server = known;
  }

  /** The server, if it is known yet. */
  Optional<HRegionServer> find() {
    HRegionServer known = server;
    if (known == null && searches) {
      known = search();
      server = known;
    }
    return Optional.ofNullable(known);
  }

  /** Whether the server is known to be ending, for a stop or a restart: it closes its regions. */
  boolean isEnding() {
    // A server closes its regions as soon as the cluster is told to stop, before it stops itself.
    return find()
        .filter(known -> known.isStopped() || known.isAborted() || !known.isClusterUp())
        .isPresent();
  }

  /** The server's regions, with all their files; none if the server is not known. */
  Stream<OnlineRegion> regions() {
    return openRegions().map(OnlineRegion::of);
  }

  /** The server's regions; none if the server is not known. */
  Stream<HRegion> openRegions() {
    return find().stream().flatMap(known -> known.getRegions().stream());
  }

  /** The stores of the server's open regions; none if the server is not known. */
  Stream<HStore> stores() {
    return openRegions().flatMap(region -> region.getStores().stream());
  }

  private HRegionServer search() {
    return ThreadUtils.getAllThreads().stream()
        .map(OwningServer::serverIn)
        .filter(candidate -> candidate != null && isOurs(candidate))
        .findFirst()
        .orElse(null);
  }

  /** A region server is a thread; a process may run several. */
  private static HRegionServer serverIn(Thread thread) {
    if (thread instanceof RegionServerThread wrapper) {
      return wrapper.getRegionServer();
    }
    return thread instanceof HRegionServer candidate ? candidate : null;
  }

  private boolean isOurs(HRegionServer candidate) {
    return candidate
        .getBlockCache()
        .map(BlockCache::getBlockCaches)
        .filter(levels -> List.of(levels).contains(cache))
        .isPresent();
  }

  /**
   * Reads a private field of a region server.
   *
   * @throws IllegalStateException if this HBase has no such field, or the JVM denies access
   */
  static Object field(HRegionServer server, String name) {
    try {
      return FieldUtils.readField(server, name, true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw unusable(name, e);
    }
  }

  /**
   * Sets a private field, since the server reads its fields directly in many places. Uses
   * reflection, since a method handle cannot set a final field.
   *
   * @throws IllegalStateException as {@link #field}
   */
  static void setField(HRegionServer server, String name, Object value) {
    try {
      FieldUtils.writeField(server, name, value, true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw unusable(name, e);
    }
  }

  private static IllegalStateException unusable(String field, Exception cause) {
    return new IllegalStateException(
        "this version of HBase is unknown to Terrace: %s.%s cannot be used"
            .formatted(HRegionServer.class.getName(), field),
        cause);
  }
}
