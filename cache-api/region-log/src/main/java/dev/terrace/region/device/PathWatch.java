// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.SerialLoop;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a device still owns its path, and takes the device out of service while it does not.
 * Any thread may call {@link #poll}, which does not wait.
 */
public final class PathWatch {

  /*
   * A lost path is marked first, then its shared objects are dropped. A thread that shares an
   * object checks the mark once the object is in its slot, so one of the two drops it. A read that
   * began before the mark may return after it, and its bytes are right: locks keep a second server
   * out.
   */

  private static final Logger LOG = LoggerFactory.getLogger(PathWatch.class);

  private final RegionDevice io;
  private final Runnable unshare;
  private final SerialLoop loop;
  private volatile boolean stopped;

  /**
   * A watch that is idle until {@link #poll} is called.
   *
   * @param unshare stops the sharing of the device's objects, whose hits do not check its health
   * @param executor runs the checks, and blocks on the file system
   */
  public PathWatch(RegionDevice io, Runnable unshare, Executor executor) {
    this.io = io;
    this.unshare = unshare;
    this.loop =
        new SerialLoop(
            executor,
            this::checkNow,
            cause -> LOG.debug("{}: ownership check not started", io.device().path(), cause));
  }

  /** Ends the watch, because the device releases its path on purpose. */
  public void stop() {
    stopped = true;
  }

  public void poll() {
    loop.wake();
  }

  private void checkNow() {
    DeviceHealth health = io.health();
    try {
      Optional<String> lost = io.device().whyLost();
      if (stopped) {
        return;
      }
      if (lost.isEmpty()) {
        health.found();
      } else if (health.lost(lost.get())) {
        unshare.run();
      }
    } catch (IOException e) {
      LOG.debug("{}: ownership check failed", io.device().path(), e);
    }
  }
}
