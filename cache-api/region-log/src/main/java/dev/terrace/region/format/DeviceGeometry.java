// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import java.io.EOFException;
import java.util.Objects;

/**
 * The division of a device into regions.
 *
 * @param regionBytes the size of each region: a power of two from 64 KB to 64 MB
 * @param regions the number of regions, at least 1
 */
public record DeviceGeometry(int regionBytes, int regions) {

  public static final int MIN_REGION_BYTES = 64 << 10;
  public static final int MAX_REGION_BYTES = 64 << 20;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the value that is out of range
   */
  public DeviceGeometry {
    if (!isRegionSize(regionBytes)) {
      throw new IllegalArgumentException(
          "regionBytes=%s is not a power of two from %s to %s"
              .formatted(regionBytes, MIN_REGION_BYTES, MAX_REGION_BYTES));
    }
    if (regions < 1) {
      throw new IllegalArgumentException("regions=" + regions + " is less than 1");
    }
  }

  public static boolean isRegionSize(int bytes) {
    return bytes >= MIN_REGION_BYTES && bytes <= MAX_REGION_BYTES && Integer.bitCount(bytes) == 1;
  }

  public long sizeBytes() {
    return (long) regions * regionBytes;
  }

  /**
   * Where a part of a region begins in the regions file.
   *
   * @throws EOFException if the part does not end in its region
   * @throws IndexOutOfBoundsException if there is no such region or position
   */
  public long offset(int region, int position, int lengthBytes) throws EOFException {
    Objects.checkIndex(region, regions);
    if (lengthBytes > regionBytes - position) {
      throw new EOFException(
          "region=%s of regionBytes=%s ends before position=%s lengthBytes=%s"
              .formatted(region, regionBytes, position, lengthBytes));
    }
    return (long) region * regionBytes + Objects.checkIndex(position, regionBytes + 1);
  }
}
