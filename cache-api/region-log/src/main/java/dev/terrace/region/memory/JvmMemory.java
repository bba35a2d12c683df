// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** The direct memory of this JVM: its limit, and the bytes in use. */
public final class JvmMemory {

  private static final String OPTION = "MaxDirectMemorySize";

  private static final BufferPoolMXBean TAKEN =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .findFirst()
          .orElseThrow();

  private JvmMemory() {}

  /** The limit in bytes; {@link Long#MAX_VALUE} if this JVM has no such figure. */
  public static long limitBytes() {
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

  /** The bytes that the limit leaves, not counting buffers that wait for the garbage collector. */
  public static long freeBytes() {
    return Math.max(0, limitBytes() - takenBytes());
  }

  /** The bytes in use, including buffers that wait for the garbage collector. */
  static long takenBytes() {
    return TAKEN.getTotalCapacity();
  }
}
