// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.format.RecoveryMark;
import java.io.IOException;

/**
 * Notes on a mapped device which region a recovery is about to read. So a region that kills the
 * process does so twice, and not at each start. Only the device's worker uses this.
 */
public final class RecoveryMarks {

  private static final int MOST_DEATHS = 2;

  private final Device device;
  private final DeviceHealth health;
  private RecoveryMark last;

  /** Whether the last mark cannot be read now: then it stays for the next start. */
  private boolean unread;

  /** The marks of a device. */
  public RecoveryMarks(RegionDevice io) {
    this.device = io.device();
    this.health = io.health();
  }

  /**
   * Notes that a region is about to be read.
   *
   * @return whether the process died twice while it read the region
   */
  public boolean begin(int slot) {
    if (!device.isMapped()) {
      return false;
    }
    int deaths = isSuspect(slot) ? last.deaths() : 0;
    if (deaths < MOST_DEATHS) {
      write(new RecoveryMark(slot, deaths));
    }
    return deaths >= MOST_DEATHS;
  }

  /**
   * Whether the last process ended while it read this region. Read it after all others, and as a
   * whole: then a second death there is its fault, and not that of a start that ended early twice.
   */
  public boolean isSuspect(int slot) {
    if (last == null) {
      last = device.isMapped() ? lastTime() : RecoveryMark.NONE;
    }
    return last.slot() == slot;
  }

  /** Notes that the process survived reading the region it had died at. */
  public void survived() {
    last = RecoveryMark.NONE;
  }

  /** The region that the last process was reading when it ended, with that death counted. */
  private RecoveryMark lastTime() {
    try {
      RecoveryMark mark = device.recoveryMark();
      return mark.slot() < 0 ? mark : new RecoveryMark(mark.slot(), mark.deaths() + 1);
    } catch (IOException e) {
      health.noteFailed("a region that kills the process does so again", e);
      unread = true;
      return RecoveryMark.NONE;
    }
  }

  /** Notes that the process survived the recovery. */
  public void end() {
    if (device.isMapped()) {
      write(RecoveryMark.NONE);
    }
  }

  private void write(RecoveryMark mark) {
    if (unread) {
      return;
    }
    try {
      device.recoveryMark(mark);
    } catch (IOException e) {
      health.noteFailed("a region that kills the process does so again", e);
    }
  }
}
