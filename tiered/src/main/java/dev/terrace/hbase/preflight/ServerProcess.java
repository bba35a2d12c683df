// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import dev.terrace.region.memory.DirectMemory;
import java.lang.management.ManagementFactory;
import java.util.function.Function;

/**
 * The process of a region server, as far as it is known.
 *
 * @param heapBytes the maximum size of the Java heap; {@link Long#MAX_VALUE} if it is unknown
 * @param directMemoryLimitBytes the limit of direct memory; {@link Long#MAX_VALUE} if it is unknown
 * @param nativeBytes what the JVM takes beside both, estimated
 * @param memoryBytes of its machine or control group; {@link Long#MAX_VALUE} if it is unknown
 * @param hbaseVersion such as {@code 2.6.6}
 */
public record ServerProcess(
    long heapBytes,
    long directMemoryLimitBytes,
    long nativeBytes,
    long memoryBytes,
    String hbaseVersion) {

  /** Classes of HBase, Hadoop and Terrace. */
  private static final long METASPACE_BYTES = 100L << 20;

  /** Compiled code of a server that has run for hours. */
  private static final long CODE_BYTES = 80L << 20;

  /** Stacks of some 300 threads, symbols, compilers, and what malloc cannot return. */
  private static final long OTHER_BYTES = 80L << 20;

  /** Mark bitmaps, card tables and remembered sets of all collectors but the serial one. */
  private static final int HEAP_PER_COLLECTOR = 25;

  private static final long COLLECTOR_BYTES = 40L << 20;

  /** The serial collector has a card table. */
  private static final int HEAP_PER_SERIAL_COLLECTOR = 256;

  public static ServerProcess current(String hbaseVersion) {
    // Some collectors leave a part of the heap out of Runtime.maxMemory.
    String maxHeap = ownFlag("MaxHeapSize");
    long heapBytes = maxHeap.isEmpty() ? Runtime.getRuntime().maxMemory() : Long.parseLong(maxHeap);
    return new ServerProcess(
        heapBytes,
        DirectMemory.limitBytes(),
        nativeBytes(heapBytes, ServerProcess::ownFlag),
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

  /**
   * Estimates from the JVM's flags what it takes beside its heap and direct memory.
   *
   * @param flag the value of a flag by its name; an empty text if it is unknown
   */
  public static long nativeBytes(long heapBytes, Function<String, String> flag) {
    long collectorBytes =
        flag.apply("UseSerialGC").equals("true")
            ? heapBytes / HEAP_PER_SERIAL_COLLECTOR
            : COLLECTOR_BYTES + heapBytes / HEAP_PER_COLLECTOR;
    return atMost(flag.apply("MaxMetaspaceSize"), METASPACE_BYTES)
        + atMost(flag.apply("ReservedCodeCacheSize"), CODE_BYTES)
        + OTHER_BYTES
        + collectorBytes;
  }

  /** A metaspace without a limit has one of -1, or of almost 2^64 bytes. */
  private static long atMost(String limit, long bytes) {
    boolean isLimited = limit.matches("\\d{1,18}");
    return isLimited ? Math.min(Long.parseLong(limit), bytes) : bytes;
  }

  /** A flag of this JVM, if it is a HotSpot that has the flag. */
  static String ownFlag(String name) {
    HotSpotDiagnosticMXBean flags =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    try {
      return flags == null ? "" : flags.getVMOption(name).getValue();
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
