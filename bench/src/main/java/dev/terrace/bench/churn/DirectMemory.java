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
package dev.terrace.bench.churn;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** The direct memory that this process has, from all who can hand it out here. */
final class DirectMemory {

  private final BufferPoolMXBean jdkPool =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .findFirst()
          .orElseThrow();

  /**
   * Bytes in use. Netty, and HBase's own copy of it, take memory past the JDK's count where they
   * can, and then count for themselves; where they cannot, their count is negative.
   */
  long usedBytes() {
    return jdkPool.getMemoryUsed()
        + Math.max(0, PlatformDependent.usedDirectMemory())
        + Math.max(
            0,
            org.apache.hbase.thirdparty.io.netty.util.internal.PlatformDependent
                .usedDirectMemory());
  }
}
