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
 * Any thread may call {@link #look}, which does not wait.
 */
public final class PathWatch {

  /*
   * A lost path is marked first, then its shared objects are dropped. A thread that shares one asks for
   * the mark after the object is in its slot, so one of the two kills it. A read that began before the
   * mark may return after it, and is right: locks keep a second server out.
   */

  private static final Logger LOG = LoggerFactory.getLogger(PathWatch.class);

  private final RegionDevice io;
  private final Runnable unshare;
  private final SerialLoop loop;
  private volatile boolean stopped;

  /**
   * A watch that rests until the first look.
   *
   * @param unshare stops the sharing of all objects on the device, which no lookup would ask for
   * @param executor runs the looks, and waits for the file system
   */
  public PathWatch(RegionDevice io, Runnable unshare, Executor executor) {
    this.io = io;
    this.unshare = unshare;
    this.loop =
        new SerialLoop(
            executor,
            this::lookNow,
            cause -> LOG.debug("{} is not looked at", io.device().path(), cause));
  }

  /** Ends the watch: the device gives its path back on purpose. */
  public void stop() {
    stopped = true;
  }

  /** Has the path looked at. */
  public void look() {
    loop.wake();
  }

  private void lookNow() {
    DeviceHealth health = io.health();
    try {
      Optional<String> lost = io.device().whyLost();
      if (stopped) {
        return;
      }
      if (lost.isEmpty()) {
        health.reads().found();
      } else if (health.reads().lost(lost.get())) {
        unshare.run();
      }
    } catch (IOException e) {
      LOG.debug("{} cannot be looked at", io.device().path(), e);
    }
  }
}
