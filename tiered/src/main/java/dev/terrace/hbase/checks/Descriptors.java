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
package dev.terrace.hbase.checks;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/**
 * The file descriptors of a process.
 *
 * @param open how many are in use
 * @param most its limit
 */
public record Descriptors(long open, long most) {

  /** With fewer left a path may not open. Some that were opened for it are closed again. */
  private static final int FEW = 64;

  /** Those of this process; no limit where that is not known. */
  public static Descriptors ofThisProcess() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      long most = system.getMaxFileDescriptorCount();
      try {
        return new Descriptors(system.getOpenFileDescriptorCount(), most);
      } catch (InternalError e) {
        // Counting them takes one.
        return new Descriptors(most, most);
      }
    }
    return new Descriptors(0, Long.MAX_VALUE);
  }

  /** What failed, and if few descriptors are left, that and how to have more. */
  public String explain(IOException failure) {
    String what = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return most - open >= FEW
        ? what
        : what
            + "; this process has "
            + open
            + " of at most "
            + most
            + " files open: raise that limit (ulimit -n, LimitNOFILE of a systemd unit)";
  }
}
