// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Finds out which of the regions that closed here no server serves, because their table is
 * disabled, truncated or dropped. A close does not tell that from a move: both are alike for the
 * server. But {@code hbase:meta} has the states of all regions. Thread-safe.
 */
public final class ClosedRegions {

  /** After this time since its close, a region's files leave first wherever the region is. */
  private static final Duration REMEMBERED = FilesToEvictFirst.GRACE.multipliedBy(2);

  /** A region that moves is closed, too, for a moment. */
  private static final int CHECKS = 2;

  private static final int REGIONS_PER_CHECK = 1_000;
  private static final int TIMEOUT_MILLIS = (int) TimeUnit.SECONDS.toMillis(10);
  private static final String CLOSED = "CLOSED";

  private final Function<List<RegionInfo>, List<String>> meta;
  private final LongSupplier nanoClock;
  private final Map<String, Closed> byName = new ConcurrentHashMap<>();

  /** A region that closed here, and how many checks in a row found that no server serves it. */
  private record Closed(RegionInfo region, long sinceNanos, int checks) {}

  /**
   * Knows no region yet.
   *
   * @param meta looks up the states of regions, in their order; null where one does not exist
   */
  public ClosedRegions(Function<List<RegionInfo>, List<String>> meta, LongSupplier nanoClock) {
    this.meta = meta;
    this.nanoClock = nanoClock;
  }

  /** A region has opened here. */
  public void opened(RegionInfo region) {
    byName.remove(primary(region).getEncodedName());
  }

  /** A region has closed here. */
  public void closed(RegionInfo region) {
    RegionInfo primary = primary(region);
    byName.put(primary.getEncodedName(), new Closed(primary, nanoClock.getAsLong(), 0));
  }

  private static RegionInfo primary(RegionInfo region) {
    return RegionReplicaUtil.getRegionInfoForDefaultReplica(region);
  }

  /** Whether no server serves a region, by its encoded name, as far as is known. */
  boolean isServedNowhere(String region) {
    Closed closed = byName.get(region);
    return closed != null && closed.checks == CHECKS;
  }

  /** Checks the regions that have closed lately. Call every few seconds; may wait for the store. */
  public void check() {
    long now = nanoClock.getAsLong();
    byName.values().removeIf(each -> now - each.sinceNanos >= REMEMBERED.toNanos());
    List<Closed> open =
        byName.values().stream()
            .filter(each -> each.checks < CHECKS)
            .limit(REGIONS_PER_CHECK)
            .toList();
    if (open.isEmpty()) {
      return;
    }
    List<String> states = meta.apply(open.stream().map(Closed::region).toList());
    for (int i = 0; i < open.size(); i++) {
      Closed last = open.get(i);
      String name = last.region.getEncodedName();
      String state = states.get(i);
      // A region that has opened or closed here meanwhile is not what was checked.
      if (state == null || state.equals(CLOSED)) {
        byName.replace(name, last, new Closed(last.region, last.sinceNanos, last.checks + 1));
      } else if (state.equals("OPEN")) {
        byName.remove(name, last);
      }
    }
  }

  /** The states in {@code hbase:meta}. */
  public static List<String> statesIn(Connection connection, List<RegionInfo> regions) {
    List<Get> gets = new ArrayList<>();
    for (RegionInfo region : regions) {
      gets.add(
          new Get(region.getRegionName())
              .addColumn(HConstants.CATALOG_FAMILY, HConstants.STATE_QUALIFIER));
    }
    try (Table table =
        connection
            .getTableBuilder(TableName.META_TABLE_NAME, null)
            .setOperationTimeout(TIMEOUT_MILLIS)
            .build()) {
      return Arrays.stream(table.get(gets)).map(ClosedRegions::state).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("could not read hbase:meta", e);
    }
  }

  private static String state(Result row) {
    return Bytes.toString(row.getValue(HConstants.CATALOG_FAMILY, HConstants.STATE_QUALIFIER));
  }
}
