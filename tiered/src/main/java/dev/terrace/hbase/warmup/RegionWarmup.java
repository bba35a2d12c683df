// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.peers.Peers;
import dev.terrace.hbase.settings.WarmRate;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * Carries a region's hot set across moves: saves the list of its cached blocks for the next server,
 * and loads the list its last server saved when a region opens here. Thread-safe.
 */
public final class RegionWarmup {

  /** Call {@link #writeChanged} this often. */
  public static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

  /** Time limit for writing lists before the cache ends. */
  private static final Duration LAST_LISTS = Duration.ofSeconds(3);

  private final HotListWriter writer;
  private final RegionWarmer warmer;
  private final Peers peers;

  /**
   * Tracks a server's regions.
   *
   * @param server this server, once it is known
   * @param rate the rate limit of reads from the store; if it is off, nothing is written or warmed
   */
  public RegionWarmup(
      TieredCache<?> tiers,
      FileCatalog known,
      PutRouter puts,
      Supplier<Optional<HRegionServer>> server,
      Supplier<WarmRate> rate,
      LongSupplier nanoClock) {
    this.peers = new Peers(tiers, server, rate);
    LongAdder storeCalls = new LongAdder();
    this.writer =
        new HotListWriter(
            tiers,
            known,
            peers::ownName,
            DeviceThreads.onDemand("terrace-lists", 2),
            storeCalls,
            nanoClock);
    this.warmer =
        new RegionWarmer(
            tiers,
            puts,
            peers,
            () -> rate.get().bytesPerSecond(),
            DeviceThreads.onDemand("terrace-warm", RegionWarmer.THREADS),
            storeCalls);
  }

  /** Lets other servers take this server's blocks. */
  public void serveIn(HRegionServer server) {
    peers.serveIn(server);
  }

  /** A region has opened. Does not wait. */
  public void opened(HRegion region) {
    warmer.opened(region);
  }

  /** A region has closed. Waits for a second at most. */
  public void closed(HRegion region) {
    // If warming had not finished, the region's list stays as it was.
    if (warmer.closed(region) && warmer.isOn()) {
      writer.closed(region);
    }
  }

  /** Writes the lists of regions that have changed. Called by one thread, which may wait. */
  public void writeChanged(Stream<HRegion> regions) {
    warmer.resume();
    writer.writeChanged(warm(regions));
  }

  /**
   * Writes the lists of regions that are still open, within a few seconds. Afterwards writes and
   * warms nothing: the cache ends.
   */
  public void end(Stream<HRegion> regions) {
    List<HRegion> warm = warm(regions);
    warmer.end();
    peers.close();
    writer.end(warm, LAST_LISTS);
  }

  /** The regions whose own blocks make a better list than the one that they were warmed from. */
  private List<HRegion> warm(Stream<HRegion> regions) {
    return warmer.isOn() ? regions.filter(region -> !warmer.isWarming(region)).toList() : List.of();
  }

  /** The counters of written lists and warmed blocks since the start. */
  public Map<String, Long> figures() {
    Map<String, Long> figures = new LinkedHashMap<>();
    writer.addTo(figures);
    warmer.addTo(figures);
    peers.addTo(figures);
    return figures;
  }
}
