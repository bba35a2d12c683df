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

import dev.terrace.hbase.status.HBaseMetrics;
import dev.terrace.hbase.status.JmxName;
import dev.terrace.hbase.status.TerraceBean;
import dev.terrace.hbase.status.TerraceStatus;
import dev.terrace.tiered.TieredCache;
import java.util.function.LongSupplier;
import javax.management.MBeanServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines, JMX bean, metrics and periodic tasks of an instance. Thread-safe. */
final class TerraceService {

  private static final Logger LOG = LoggerFactory.getLogger(TerraceService.class);

  private final TerraceStatus status;
  private final TieredCache<?> tiers;
  private final MBeanServer beans;
  private final Chores chores;
  private final LongSupplier nanoClock;
  private JmxName jmxName;
  private HBaseMetrics metrics;
  private volatile boolean stopped;

  /** A service that is not started. */
  TerraceService(
      TerraceStatus status,
      TieredCache<?> tiers,
      MBeanServer beans,
      Chores chores,
      LongSupplier nanoClock) {
    this.status = status;
    this.tiers = tiers;
    this.beans = beans;
    this.chores = chores;
    this.nanoClock = nanoClock;
  }

  synchronized void start() {
    jmxName = JmxName.register(beans, new TerraceBean(status, tiers::stats));
    metrics = HBaseMetrics.register(tiers, nanoClock);
    chores.start();
    LOG.info(status.getStartLine());
  }

  /** Ends what was started; may be called twice. */
  synchronized void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    if (jmxName == null) {
      return;
    }
    LOG.info(status.endLine());
    status.stopTrace();
    metrics.close();
    jmxName.close();
    chores.stop();
  }

  /** Whether it was started, and not stopped. */
  synchronized boolean isRunning() {
    return jmxName != null && !stopped;
  }
}
