// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

/**
 * Faults of mapped memory: the file was cut off, or the memory is broken.
 *
 * <p>The JVM turns such a fault into an {@link InternalError}, but only in Java code or in a copy
 * of its own. In a checksum's intrinsic it kills the process, so mapped bytes are copied first.
 */
public final class MappedFaults {

  /*
   * Compiled code goes on behind the failed access. JDK 17 throws the error when the thread next
   * returns from the JVM's runtime: some milliseconds later, in unrelated code. The runtime makes
   * arrays of arrays, so making one brings the error. Native methods and thrown exceptions do not.
   * From JDK 21 on the access itself throws the error.
   */

  private static final int ROWS = 16;

  /** Receives the array, so that no compiler removes it. */
  @SuppressWarnings("UnusedVariable")
  private static volatile Object made;

  private MappedFaults() {}

  /** Throws the pending error of an earlier access by this thread. Takes about 200 ns. */
  public static void settle() {
    made = new int[ROWS][1];
  }

  /** Takes the errors that follow an error, so that none interrupts its handling. */
  public static void settleAfter(InternalError error) {
    try {
      settle();
    } catch (InternalError later) {
      error.addSuppressed(later);
    }
  }
}
