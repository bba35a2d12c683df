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

import dev.terrace.hbase.status.JmxName;
import dev.terrace.hbase.status.TerraceStatus;
import javax.management.MBeanServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines, the JMX bean and the periodic tasks of an instance. Thread-safe. */
final class TerraceService {

  private static final Logger LOG = LoggerFactory.getLogger(TerraceService.class);

  private final TerraceStatus status;
  private final MBeanServer beans;
  private final Chores chores;
  private JmxName jmxName;
  private volatile boolean stopped;

  /** A service that is not started. */
  TerraceService(TerraceStatus status, MBeanServer beans, Chores chores) {
    this.status = status;
    this.beans = beans;
    this.chores = chores;
  }

  synchronized void start() {
    jmxName = JmxName.register(beans, status);
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
    jmxName.close();
    chores.stop();
  }

  /** Whether it was started, and not stopped. */
  synchronized boolean isRunning() {
    return jmxName != null && !stopped;
  }
}
