// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.BiFunction;

/**
 * The regions of all devices of a tier, by the numbers used in addresses. A number stays with its
 * region until its device leaves the tier. Any thread may call any method.
 */
public final class TierRegions {

  /*
   * The list is not volatile, so that lookups stay cheap. A lookup gets a region's number from the
   * index. The block was added there after its region was added here, and whoever finds a block in
   * the index sees all writes before it was added. So the lookup finds a list with this region, or
   * a later one. A list never changes, and its fields are final: a reader sees it fully built,
   * whenever it was made.
   *
   * A lookup may have the number of a region that has since left, and find a region of another
   * device under it. As with a region that was rewritten, either the block is no longer there, or
   * it is right.
   */
  private List<Region> all = List.of();

  /** Numbers of regions whose devices have left. New regions take them over. */
  private final Queue<Integer> left = new ArrayDeque<>();

  /** The region with a number from the index. */
  Region get(int number) {
    return all.get(number);
  }

  /** Whether readers may share the objects of a region. */
  public boolean isShared(int number) {
    Region region = get(number);
    return !region.copiesHits() && !region.io.health().isLost();
  }

  public synchronized List<Region> all() {
    return all;
  }

  /**
   * Adds regions of one device.
   *
   * @param maker makes a region from its number and slot
   */
  synchronized List<Region> add(
      int fromSlot, int toSlot, BiFunction<Integer, Integer, Region> maker) {
    List<Region> next = new ArrayList<>(all);
    List<Region> added = new ArrayList<>();
    for (int slot = fromSlot; slot < toSlot; slot++) {
      Integer number = left.poll();
      Region region = maker.apply(number == null ? next.size() : number, slot);
      if (number == null) {
        next.add(region);
      } else {
        next.set(number, region);
      }
      added.add(region);
    }
    all = List.copyOf(next);
    return added;
  }

  /** Frees the numbers of regions that have no blocks and admit no readers. */
  public synchronized void left(Region[] regions) {
    for (Region region : regions) {
      left.add(region.number);
    }
  }
}
