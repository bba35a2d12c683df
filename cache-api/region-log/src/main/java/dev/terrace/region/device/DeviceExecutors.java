// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.concurrent.Executor;

/** Makes the executors that a tier uses for its devices. */
@FunctionalInterface
public interface DeviceExecutors {

  /** Runs the log's own I/O of the device with this path. */
  Executor worker(String path);

  /**
   * Runs reads for callers while the device is slow. It needs threads of its own, so that callers
   * can leave.
   *
   * @param most most reads at a time
   */
  default Executor readers(String path, int most) {
    return Runnable::run;
  }

  /**
   * Runs looks at the path, one after the other. It needs a thread of its own, which waits as long
   * as the file system hangs.
   */
  default Executor looks(String path) {
    return Runnable::run;
  }
}
