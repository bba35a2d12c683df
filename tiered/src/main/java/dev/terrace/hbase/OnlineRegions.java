// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.RateLimitedLog;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hbase.thirdparty.com.google.common.collect.ForwardingMap;

/**
 * A region server's regions by encoded name; reports each region that is put or removed. It is a
 * view of the original map, to which parts of HBase, such as data tiering, already hold a
 * reference. The server puts a region once it is open, and removes it after the close, before it
 * reports that to the master. A listener's failure is logged, not thrown: HBase would abort the
 * server. As thread-safe as the original map.
 */
final class OnlineRegions extends ForwardingMap<String, HRegion> {

  private static final String FIELD = "onlineRegions";

  private final Map<String, HRegion> before;
  private final Consumer<HRegion> opened;
  private final Consumer<HRegion> closing;
  private final RateLimitedLog log = new RateLimitedLog(OnlineRegions.class);

  OnlineRegions(Map<String, HRegion> before, Consumer<HRegion> opened, Consumer<HRegion> closing) {
    this.before = before;
    this.opened = opened;
    this.closing = closing;
  }

  /**
   * Watches the regions of a server that has opened none yet.
   *
   * @param opened called for each region that has opened; must be quick
   * @param closing called for each region that has closed; HBase waits for it
   * @throws IllegalStateException if this version of HBase is not known
   */
  static void watch(HRegionServer server, Consumer<HRegion> opened, Consumer<HRegion> closing) {
    @SuppressWarnings("unchecked") // as it is declared
    Map<String, HRegion> before = (Map<String, HRegion>) OwningServer.field(server, FIELD);
    OwningServer.setField(server, FIELD, new OnlineRegions(before, opened, closing));
  }

  @Override
  protected Map<String, HRegion> delegate() {
    return before;
  }

  @Override
  public HRegion put(String name, HRegion region) {
    HRegion last = before.put(name, region);
    report(opened, region);
    return last;
  }

  @Override
  public HRegion remove(Object name) {
    HRegion region = before.get(name);
    if (region != null) {
      report(closing, region);
    }
    return before.remove(name);
  }

  private void report(Consumer<HRegion> listener, HRegion region) {
    try {
      listener.accept(region);
    } catch (RuntimeException | Error e) {
      log.warn("Cannot track a region, so it may start cold after a move: " + region, e);
    }
  }
}
