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
package dev.terrace.bench.load;

import dev.terrace.bench.server.BlockCacheCounters;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs loads against one server and records what they use.
 *
 * <p>HBase's counters of the cache are about two seconds old, so a run can only be told from the
 * next one when the server rested between the two. {@link #runAndWait} waits for that; {@link #run}
 * leaves it to the caller to do something else meanwhile, such as runs against other servers. Used
 * by one thread.
 */
public final class LoadRecorder {

  private static final Duration METRICS_LIMIT = Duration.ofMinutes(1);

  /** HBase refreshes its counters each second, and its JMX page another second later. */
  private static final Duration COUNTERS_DELAY = Duration.ofMillis(2_500);

  /** A server whose compilers take less than this part of its processor time is warm. */
  private static final double WARM_BELOW = 0.05;

  private static final Duration WARM_UP_SLICE = Duration.ofSeconds(5);

  private final HBaseServer server;
  private long lastEndNanos;

  /** A recorder for a server that runs. */
  LoadRecorder(HBaseServer server) {
    this.server = server;
    this.lastEndNanos = System.nanoTime();
  }

  /**
   * Runs a load that is not recorded, until the server has little left to compile. Where the system
   * does not tell, until the limit.
   *
   * @param limit how long at most
   * @throws IOException if the load or the server fails
   */
  void warmUp(Load load, Duration limit) throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    boolean isWarm = false;
    for (long left = limit.toNanos(); left > 0 && !isWarm; left = end - System.nanoTime()) {
      Usage before = Usage.of(server);
      load.run(Duration.ofNanos(Math.min(left, WARM_UP_SLICE.toNanos())));
      isWarm = Usage.of(server).compilingShareSince(before) < WARM_BELOW;
    }
    touched();
  }

  /** Notes that something else moves the server's counters, or that its process was suspended. */
  void touched() {
    lastEndNanos = System.nanoTime();
  }

  /**
   * Runs a load. The figures can be had once the counters are up to date; until then no other load
   * may be run against this server.
   *
   * @param time how long about
   * @throws IOException if the load or the server fails
   */
  public Pending run(Load load, Duration time) throws IOException {
    awaitCounters();
    CacheUse cacheBefore = CacheUse.of(server);
    Usage before = Usage.of(server);
    LoadOutcome outcome = load.run(time);
    Usage after = Usage.of(server);
    touched();
    return () -> {
      awaitCounters();
      return figures(outcome, before, after, cacheBefore, CacheUse.of(server));
    };
  }

  /** Runs a load and returns its figures. */
  public LoadFigures runAndWait(Load load, Duration time) throws IOException {
    return run(load, time).figures();
  }

  private void awaitCounters() throws IOException {
    long end = lastEndNanos;
    server.await(
        "HBase's counters were refreshed",
        METRICS_LIMIT,
        () ->
            System.nanoTime() - end > COUNTERS_DELAY.toNanos()
                && BlockCacheCounters.read(server.jmx()).isPresent());
  }

  private static LoadFigures figures(
      LoadOutcome outcome, Usage before, Usage after, CacheUse cacheBefore, CacheUse cacheAfter) {
    BlockCacheCounters counters = cacheAfter.counters.since(cacheBefore.counters);
    Map<String, Long> tierHits = new LinkedHashMap<>(cacheAfter.tierHits);
    tierHits.replaceAll((tier, hits) -> hits - cacheBefore.tierHits.getOrDefault(tier, 0L));
    return new LoadFigures(
        outcome,
        after.serverSeconds() - before.serverSeconds(),
        after.compilingShareSince(before),
        after.clientSeconds() - before.clientSeconds(),
        after.machine().idleShareSince(before.machine()),
        after.gcMillis() - before.gcMillis(),
        // A thread that has ended takes its switches with it.
        Math.max(0, after.contextSwitches() - before.contextSwitches()),
        counters.dataHits() + counters.fileReads() == 0 ? Double.NaN : counters.dataHitRatio(),
        tierHits);
  }

  /** HBase's counters of its block cache, and the hits of Terrace's tiers by name. */
  private record CacheUse(BlockCacheCounters counters, Map<String, Long> tierHits) {

    static CacheUse of(HBaseServer server) throws IOException {
      BlockCacheCounters counters =
          BlockCacheCounters.read(server.jmx())
              .orElseThrow(
                  () -> new IOException("HBase shows no counters at " + server.jmx().address()));
      Map<String, Long> tierHits = new LinkedHashMap<>();
      TerraceStats.read(server.jmx())
          .ifPresent(
              stats -> stats.tiers().forEach(tier -> tierHits.put(tier.name(), tier.hits())));
      return new CacheUse(counters, tierHits);
    }
  }

  /** A load generator. */
  @FunctionalInterface
  public interface Load {

    /**
     * Runs it for about this time.
     *
     * @throws IOException if it cannot go on
     */
    LoadOutcome run(Duration time) throws IOException;
  }

  /** A run that has ended. */
  @FunctionalInterface
  public interface Pending {

    /**
     * Returns its figures; waits for the counters if they are not up to date.
     *
     * @throws IOException if the server fails
     */
    LoadFigures figures() throws IOException;
  }
}
