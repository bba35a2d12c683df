// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.preflight.EntryKeys;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/** The ways to install Terrace as HBase's block cache. */
public enum EntryPoint {
  /** By {@link TerraceRegionServer}. */
  REGION_SERVER_CLASS(EntryKeys.REGION_SERVER_CLASS),
  /** By {@link TerraceCoprocessor}. */
  COPROCESSOR(EntryKeys.COPROCESSOR),
  /** As the second level below HBase's own cache. */
  EXTERNAL_CACHE(EntryKeys.EXTERNAL_CACHE),
  /** By {@link Terrace#install}, or by constructing a {@link TieredBlockCache}. */
  EMBEDDED("embedded"),
  /**
   * As the second level of a cache that HBase creates outside a region server, such as for a
   * scanner over a snapshot in a client. Such a cache holds nothing.
   */
  OUTSIDE_OF_REGION_SERVERS("none");

  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String FACTORY = HBASE + "io.hfile.BlockCacheFactory.createBlockCache";
  private static final String REGION_SERVER = HBASE + "regionserver.HRegionServer.<init>";
  private static final String MASTER = HBASE + "master.HMaster.<init>";

  private final String label;

  EntryPoint(String label) {
    this.label = label;
  }

  /** The entry point of a cache that was created by the public constructor. */
  static EntryPoint ofConstructor(Configuration conf) {
    Set<String> callers =
        StackWalker.getInstance()
            .walk(frames -> frames.map(EntryPoint::method).collect(Collectors.toSet()));
    return of(conf, callers);
  }

  /** Whether this thread runs a region server's own code, such as a fork's constructor. */
  static boolean isInRegionServer() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(
            frames ->
                frames.anyMatch(
                    frame -> HRegionServer.class.isAssignableFrom(frame.getDeclaringClass())));
  }

  private static String method(StackWalker.StackFrame frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }

  /**
   * As {@link #ofConstructor}, for given callers. HBase creates a region server's cache in the
   * region server's constructor. In HBase 2 a master's constructor calls that constructor, too.
   *
   * @param callers the methods on the stack, as {@code class.method}
   */
  static EntryPoint of(Configuration conf, Set<String> callers) {
    boolean forServer = callers.contains(REGION_SERVER) && !callers.contains(MASTER);
    if (callers.contains(FACTORY) && !forServer) {
      return OUTSIDE_OF_REGION_SERVERS;
    }
    String externalClass = conf.get(EXTERNAL_CACHE.label);
    return TieredBlockCache.class.getName().equals(externalClass) ? EXTERNAL_CACHE : EMBEDDED;
  }

  /** The key in hbase-site.xml, if there is one. */
  @Override
  public String toString() {
    return label;
  }
}
