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
package dev.terrace.hbase.settings;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The memory of this machine, or of the container, and what a JVM leaves of it. */
public final class MachineMemory {

  private MachineMemory() {}

  /** All of it, in bytes. */
  public static long bytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  /**
   * What the page cache may take beside a JVM, in bytes. Other processes are not known.
   *
   * @param heapBytes the largest size of its heap
   * @param directLimitBytes its limit of direct memory
   */
  public static long pageCacheBytes(long heapBytes, long directLimitBytes) {
    long leftBytes = bytes() - Math.min(bytes(), heapBytes);
    return leftBytes - Math.min(leftBytes, directLimitBytes);
  }
}
