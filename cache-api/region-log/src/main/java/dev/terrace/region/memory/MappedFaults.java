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
 * <p>The JVM turns such a fault into an {@link InternalError}, but only where Java code or a copy
 * of its own meets it. A checksum's intrinsic does not survive it: what lies in mapped memory is
 * copied first.
 */
public final class MappedFaults {

  /*
   * Compiled code goes on behind the access that failed, and JDK 17 throws the error when the
   * thread next comes out of the JVM's runtime: some milliseconds later, in whatever runs then. An
   * array of arrays is made by the runtime, so that the error comes there. Native methods and
   * thrown exceptions do not do; from JDK 21 on the error comes at the access itself.
   */

  private static final int ROWS = 16;

  /** Where the array goes, so that no compiler leaves it out. */
  @SuppressWarnings("UnusedVariable")
  private static volatile Object made;

  private MappedFaults() {}

  /** Throws the error of an access of this thread that failed before. Takes about 200 ns. */
  public static void settle() {
    made = new int[ROWS][1];
  }

  /** Whether an error tells of such a fault. */
  public static boolean isFault(InternalError error) {
    return String.valueOf(error.getMessage()).contains("unsafe memory access");
  }
}
