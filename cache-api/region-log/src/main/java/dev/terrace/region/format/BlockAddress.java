// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

/**
 * The address of a block's record, packed into a {@code long} that is never 0.
 *
 * <pre>
 *  63                44 43                24 23                     0
 * +--------------------+--------------------+------------------------+
 * |  region (20 bits)  | position/64 (20)   |  payload bytes (24)    |
 * +--------------------+--------------------+------------------------+
 * </pre>
 *
 * <p>A payload has at least one byte, so no address equals {@link #NONE}.
 */
public final class BlockAddress {

  /** No address: the block is not there. */
  public static final long NONE = 0;

  public static final int MAX_REGION = (1 << 20) - 1;

  static final int MAX_PAYLOAD_BYTES = (1 << 24) - 1;

  /** Records start at multiples of this. */
  public static final int RECORD_ALIGNMENT = 64;

  static final int MAX_POSITION = ((1 << 20) - 1) * RECORD_ALIGNMENT;

  private static final int REGION_SHIFT = 44;
  private static final int POSITION_SHIFT = 24;
  private static final int POSITION_MASK = (1 << 20) - 1;

  private BlockAddress() {}

  /**
   * Packs an address.
   *
   * @param region from 0 to {@link #MAX_REGION}
   * @param positionBytes where the record starts in the region, a multiple of {@link
   *     #RECORD_ALIGNMENT} from 0 to {@link #MAX_POSITION}
   * @param payloadBytes from 1 to {@link #MAX_PAYLOAD_BYTES}
   * @throws IllegalArgumentException if one of them is out of range
   */
  public static long of(int region, int positionBytes, int payloadBytes) {
    check("region", region, 0, MAX_REGION, 1);
    check("positionBytes", positionBytes, 0, MAX_POSITION, RECORD_ALIGNMENT);
    check("payloadBytes", payloadBytes, 1, MAX_PAYLOAD_BYTES, 1);
    return (long) region << REGION_SHIFT
        | (long) (positionBytes / RECORD_ALIGNMENT) << POSITION_SHIFT
        | payloadBytes;
  }

  private static void check(String what, int value, int least, int most, int unit) {
    if (value < least || value > most || value % unit != 0) {
      throw new IllegalArgumentException(
          "%s=%s is not a multiple of %s from %s to %s".formatted(what, value, unit, least, most));
    }
  }

  public static int region(long address) {
    return (int) (address >>> REGION_SHIFT);
  }

  /** Where the record starts in its region, in bytes. */
  public static int position(long address) {
    return ((int) (address >>> POSITION_SHIFT) & POSITION_MASK) * RECORD_ALIGNMENT;
  }

  public static int payloadBytes(long address) {
    return (int) address & MAX_PAYLOAD_BYTES;
  }

  /** The parts of an address, for logs. */
  public static String toString(long address) {
    return address == NONE
        ? "none"
        : "region=%d position=%d payloadBytes=%d"
            .formatted(region(address), position(address), payloadBytes(address));
  }
}
