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
