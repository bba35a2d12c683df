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
package dev.terrace.hbase;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of an instance that lives beside its lookups: a line in the log at the start and at the
 * end, the bean in JMX, and a thread that rolls the periods of the statistics. Thread-safe.
 */
final class TerraceService {

  private static final Logger LOG = LoggerFactory.getLogger(TerraceService.class);

  private final TerraceStatus status;
  private final MBeanServer beans;
  private final CacheStats stats;
  private final Duration period;
  private JmxName jmxName;
  private ScheduledExecutorService roller;
  private volatile boolean stopped;

  /**
   * A service that does nothing yet.
   *
   * @param period how long a period of the statistics is; zero if they are not to be rolled
   */
  TerraceService(TerraceStatus status, MBeanServer beans, CacheStats stats, Duration period) {
    this.status = status;
    this.beans = beans;
    this.stats = stats;
    this.period = period;
  }

  synchronized void start() {
    jmxName = JmxName.register(beans, status);
    if (!period.isZero()) {
      roller = Executors.newSingleThreadScheduledExecutor(TerraceService::rollerThread);
      long millis = period.toMillis();
      var unused =
          roller.scheduleAtFixedRate(
              stats::rollMetricsPeriod, millis, millis, TimeUnit.MILLISECONDS);
    }
    LOG.info(status.getStartLine());
  }

  private static Thread rollerThread(Runnable task) {
    Thread thread = new Thread(task, "terrace-stats");
    thread.setDaemon(true);
    return thread;
  }

  /** Ends what was started; may be called twice. */
  synchronized void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    LOG.info(status.endLine());
    jmxName.close();
    if (roller != null) {
      roller.shutdown();
    }
  }

  boolean isStopped() {
    return stopped;
  }
}
