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
package dev.terrace.hbase.status;

import dev.terrace.tiered.TieredCache;
import java.util.ServiceConfigurationError;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Terrace's figures among HBase's metrics: in JMX as {@code
 * Hadoop:service=HBase,name=RegionServer,sub=Terrace}, on the page {@code /prometheus}, and in
 * every sink of metrics2. HBase shows and removes them within ten seconds.
 */
public final class HBaseMetrics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HBaseMetrics.class);

  private FigureRegistry registry;

  private HBaseMetrics(FigureRegistry registry) {
    this.registry = registry;
  }

  /**
   * Registers the figures of a cache. Where HBase's metrics are absent or fail, the cache runs
   * without them.
   *
   * @param nanoClock such as {@link System#nanoTime}
   */
  public static HBaseMetrics register(TieredCache<?> tiers, LongSupplier nanoClock) {
    try {
      return new HBaseMetrics(FigureRegistry.register(tiers, nanoClock));
    } catch (LinkageError | ServiceConfigurationError | RuntimeException e) {
      LOG.warn("Terrace's figures are not among HBase's metrics", e);
      return new HBaseMetrics(null);
    }
  }

  /** Takes the figures back; may be called twice. */
  @Override
  public synchronized void close() {
    if (registry != null) {
      registry.remove();
      registry = null;
    }
  }
}
