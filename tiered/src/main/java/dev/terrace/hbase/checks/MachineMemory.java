// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The memory that a process may take: that of its machine, or of a control group that allows less.
 *
 * @param bytes {@link Long#MAX_VALUE} if it is unknown
 * @param owner the machine or the control group, for messages
 * @param sharedBytes shared memory that is charged to the control group now, with files on a tmpfs;
 *     empty if that is unknown
 * @param mappedBytes what of it processes have mapped
 */
public record MachineMemory(long bytes, String owner, OptionalLong sharedBytes, long mappedBytes) {

  private static final String SELF = "self";

  /** That of this process now: the limit of a control group may change at any time. */
  public static MachineMemory ofThisProcess() {
    return of(SELF);
  }

  /**
   * That of a process of this machine.
   *
   * @param process its number, or {@code self}
   */
  public static MachineMemory of(String process) {
    long bytes = machineBytes(process);
    return ControlGroup.of(Path.of("/"), process)
        .filter(group -> group.limitBytes() <= bytes)
        .map(
            group ->
                new MachineMemory(
                    group.limitBytes(),
                    "the control group " + group.name(),
                    group.sharedBytes(),
                    group.mappedBytes()))
        .orElse(ofMachine(bytes));
  }

  /** Of this process's machine; the JDK may know a control group that is not found here. */
  private static long machineBytes(String process) {
    long totalBytes = ControlGroup.value(Path.of("/proc/meminfo"), "MemTotal:") * 1024;
    return totalBytes > 0 && !process.equals(SELF)
        ? totalBytes
        : ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  /** A machine's. */
  public static MachineMemory ofMachine(long bytes) {
    return new MachineMemory(bytes, "the machine", OptionalLong.empty(), 0);
  }

  boolean isKnown() {
    return bytes != Long.MAX_VALUE;
  }

  /**
   * What the page cache may take beside a JVM, in bytes. Other processes are not known.
   *
   * @param heapBytes the largest size of its heap
   * @param directLimitBytes its limit of direct memory
   */
  public long pageCacheBytes(long heapBytes, long directLimitBytes) {
    long leftBytes = bytes - Math.min(bytes, heapBytes);
    return leftBytes - Math.min(leftBytes, directLimitBytes);
  }
}
