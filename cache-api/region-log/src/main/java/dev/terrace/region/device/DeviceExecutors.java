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
   * Runs callers' reads while the device is slow. It needs its own threads, so that callers can
   * give up.
   *
   * @param most maximum number of concurrent reads
   */
  default Executor readers(String path, int most) {
    return Runnable::run;
  }

  /**
   * Runs checks of the path, one at a time. It needs its own thread, which blocks for as long as
   * the file system hangs.
   */
  default Executor looks(String path) {
    return Runnable::run;
  }
}
