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

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** The direct memory that this JVM may use. */
final class DirectMemory {

  /** How an operator raises the limit. */
  static final String HOW_TO_RAISE = "-XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE in hbase-env.sh)";

  private static final String OPTION = "MaxDirectMemorySize";

  private DirectMemory() {}

  /** The limit in bytes; {@link Long#MAX_VALUE} if this JVM does not tell. */
  static long limitBytes() {
    HotSpotDiagnosticMXBean hotSpot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    if (hotSpot == null) {
      return Long.MAX_VALUE;
    }
    try {
      long option = Long.parseLong(hotSpot.getVMOption(OPTION).getValue());
      // Without the option the limit is that of the heap.
      return option > 0 ? option : Runtime.getRuntime().maxMemory();
    } catch (IllegalArgumentException e) {
      return Long.MAX_VALUE;
    }
  }

  /** A number of bytes as people read it. */
  static String readable(long bytes) {
    return TraditionalBinaryPrefix.long2String(bytes, "B", 1);
  }
}
