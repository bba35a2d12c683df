// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Function;

/** Estimates the memory that a region server's JVM takes beside its heap and direct memory. */
public final class NativeMemory {

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

  private NativeMemory() {}

  /**
   * Estimates it from the JVM's flags.
   *
   * @param flag the value of a flag by its name; an empty text if it is unknown
   */
  public static long bytes(long heapBytes, Function<String, String> flag) {
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
