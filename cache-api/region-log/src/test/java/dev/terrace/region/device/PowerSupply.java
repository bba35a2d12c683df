// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The power of some disks. It fails at one of the moments that it is told of, such as each write
 * and force of its disks. What happens to the disks after that changes nothing. For one thread.
 */
public final class PowerSupply {

  private final SplittableRandom random;
  private final List<SimulatedDisk> disks;
  private int momentsLeft;
  private List<SimulatedDisk> left;

  /**
   * Supplies disks.
   *
   * @param random decides what gets to the media before and at the cut
   * @param moments the power fails after so many
   */
  public PowerSupply(List<SimulatedDisk> disks, SplittableRandom random, int moments) {
    this.disks = List.copyOf(disks);
    this.random = random;
    this.momentsLeft = moments;
    disks.forEach(disk -> disk.beforeChange(this::moment));
  }

  /** A moment in which the power may fail, or something reach a medium unforced. */
  public void moment() {
    if (isCut()) {
      return;
    }
    if (momentsLeft-- == 0) {
      cut();
    } else if (random.nextInt(4) == 0) {
      disks.get(random.nextInt(disks.size())).writeBack(random);
    }
  }

  /** Whether the power has failed. */
  public boolean isCut() {
    return left != null;
  }

  /** Cuts the power, if it has not failed before. Returns what is left of the disks, in order. */
  public List<SimulatedDisk> cut() {
    if (left == null) {
      left = new ArrayList<>();
      disks.forEach(disk -> left.add(disk.afterPowerCut(random)));
    }
    return left;
  }
}
