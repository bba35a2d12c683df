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

import dev.terrace.bench.hbase.BlockCacheCounters;
import dev.terrace.bench.hbase.HBaseServer;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Runs loads against one server and takes down what they use.
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
  public LoadRecorder(HBaseServer server) {
    this.server = server;
    this.lastEndNanos = System.nanoTime();
  }

  /**
   * Runs a load whose figures nobody wants, until the server has little left to compile. Where the
   * system does not tell, until the limit.
   *
   * @param limit how long at most
   * @throws IOException if the load or the server fails
   */
  public void warmUp(TimedLoad load, Duration limit) throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    boolean isWarm = false;
    for (long left = limit.toNanos(); left > 0 && !isWarm; left = end - System.nanoTime()) {
      ServerCpu before = ServerCpu.of(server);
      Duration slice = Duration.ofNanos(Math.min(left, WARM_UP_SLICE.toNanos()));
      unrecorded(() -> load.run(slice));
      OptionalDouble compiling = ServerCpu.of(server).compilingShareSince(before);
      isWarm = compiling.isPresent() && compiling.getAsDouble() < WARM_BELOW;
    }
  }

  /**
   * Does something else with the server that moves its counters.
   *
   * @throws IOException if that or the server fails
   */
  public void unrecorded(Task task) throws IOException {
    server.requireAlive();
    task.run();
    lastEndNanos = System.nanoTime();
  }

  /** The server's process was suspended and goes on: its counters are what they were before. */
  public void resumed() {
    lastEndNanos = System.nanoTime();
  }

  /**
   * Runs a load. The figures can be had once the counters are up to date; until then no other load
   * may be run against this server.
   *
   * @throws IOException if the load or the server fails
   */
  public Pending run(Load load) throws IOException {
    awaitCounters();
    CacheUse cacheBefore = CacheUse.of(server);
    Usage before = Usage.of(server);
    LoadOutcome outcome = load.run();
    Usage after = Usage.of(server);
    lastEndNanos = System.nanoTime();
    return () -> {
      awaitCounters();
      return LoadFigures.of(outcome, before, after, CacheUse.of(server).since(cacheBefore));
    };
  }

  /**
   * Runs a load and returns its figures.
   *
   * @throws IOException if the load or the server fails
   */
  public LoadFigures runAndWait(Load load) throws IOException {
    return run(load).figures();
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

  /** A load generator. */
  @FunctionalInterface
  public interface Load {
    /**
     * Runs it.
     *
     * @throws IOException if it cannot go on
     */
    LoadOutcome run() throws IOException;
  }

  /** A load generator that runs for as long as it is told. */
  @FunctionalInterface
  public interface TimedLoad {
    /**
     * Runs it for about this time.
     *
     * @throws IOException if it cannot go on
     */
    LoadOutcome run(Duration time) throws IOException;
  }

  /** Something that is not measured. */
  @FunctionalInterface
  public interface Task {
    /**
     * Does it.
     *
     * @throws IOException if it cannot go on
     */
    void run() throws IOException;
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
