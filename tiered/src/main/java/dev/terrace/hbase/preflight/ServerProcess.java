// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import com.sun.management.OperatingSystemMXBean;
import dev.terrace.region.memory.DirectMemory.JvmMemory;
import java.lang.management.ManagementFactory;

/**
 * The process of a region server, as far as it is known.
 *
 * @param heapBytes the maximum size of the Java heap; {@link Long#MAX_VALUE} if it is unknown
 * @param directMemoryLimitBytes the limit of direct memory; {@link Long#MAX_VALUE} if it is unknown
 * @param nativeBytes what the JVM takes beside both, as {@link NativeMemory} estimates it
 * @param memoryBytes of its machine or control group; {@link Long#MAX_VALUE} if it is unknown
 * @param hbaseVersion such as {@code 2.6.6}
 */
public record ServerProcess(
    long heapBytes,
    long directMemoryLimitBytes,
    long nativeBytes,
    long memoryBytes,
    String hbaseVersion) {

  /** This process. */
  public static ServerProcess current(String hbaseVersion) {
    // Some collectors leave a part of the heap out of Runtime.maxMemory.
    String maxHeap = NativeMemory.ownFlag("MaxHeapSize");
    long heapBytes = maxHeap.isEmpty() ? Runtime.getRuntime().maxMemory() : Long.parseLong(maxHeap);
    return new ServerProcess(
        heapBytes,
        JvmMemory.limitBytes(),
        NativeMemory.bytes(heapBytes, NativeMemory::ownFlag),
        machineBytes(),
        hbaseVersion);
  }

  /**
   * The memory of this process's machine, or of its control group if the JDK detects a lower limit.
   * It may change at any time.
   */
  public static long machineBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  /** The same process with the memory that its machine has now. */
  ServerProcess now() {
    return new ServerProcess(
        heapBytes, directMemoryLimitBytes, nativeBytes, machineBytes(), hbaseVersion);
  }

  /** The bytes that the JVM leaves to the page cache. Other processes are not counted. */
  public long pageCacheBytes() {
    long leftBytes = memoryBytes - Math.min(memoryBytes, heapBytes);
    return leftBytes - Math.min(leftBytes, directMemoryLimitBytes);
  }
}
