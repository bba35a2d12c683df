// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import java.util.Optional;

/**
 * The process of a region server, as far as it is known.
 *
 * @param heapBytes the largest size of the Java heap; {@link Long#MAX_VALUE} if it is unknown
 * @param directMemoryLimitBytes the limit of direct memory; {@link Long#MAX_VALUE} if it is unknown
 * @param memory of its machine or control group
 * @param javaVersion the feature number, such as 17; 0 if it is unknown
 * @param hbaseVersion such as {@code 2.6.6}
 */
public record ServerProcess(
    long heapBytes,
    long directMemoryLimitBytes,
    MachineMemory memory,
    int javaVersion,
    Optional<String> hbaseVersion) {

  /** The same with the memory that there is now. */
  ServerProcess now() {
    return new ServerProcess(
        heapBytes,
        directMemoryLimitBytes,
        MachineMemory.ofThisProcess(),
        javaVersion,
        hbaseVersion);
  }
}
