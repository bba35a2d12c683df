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
package dev.terrace.bench.memory;

import com.sun.management.OperatingSystemMXBean;
import dev.terrace.bench.workload.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this process takes of the machine. */
final class Footprint {

  static final Duration LIMIT = Duration.ofMinutes(3);

  private static final Logger LOG = LoggerFactory.getLogger(Footprint.class);
  private static final int COLLECTIONS = 3;

  private Footprint() {}

  /**
   * Logs a line. The first one opens all jars of the class path, whose directories stay on the
   * heap; a server has done that long before it opens its cache.
   */
  static void logOnce() {
    LOG.info("the heap is measured from here on");
  }

  /** Waits; throws an IOException with the complaint if it takes some minutes. */
  static void await(BooleanSupplier condition, String complaint) throws IOException {
    if (!Await.until(condition, LIMIT)) {
      throw new IOException(complaint + " after " + LIMIT.toSeconds() + " s");
    }
  }

  static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** The heap in use, after collections. */
  static long usedHeapBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
