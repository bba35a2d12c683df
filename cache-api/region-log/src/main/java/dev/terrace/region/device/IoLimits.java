// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.time.Duration;

/**
 * Limits on the I/O of a tier's devices.
 *
 * @param stall time without progress after which a device is taken out of service
 * @param probeInterval pause before a device out of service is tried again
 * @param readers maximum number of concurrent callers inside one file device; at least 1
 * @param writeBytesPerSecond write limit of all file devices together, which holds over every ten
 *     seconds; 0 for no limit
 */
public record IoLimits(
    Duration stall, Duration probeInterval, int readers, long writeBytesPerSecond) {

  /**
   * Default limit of callers inside one device. A hung device blocks at most this many of a region
   * server's 30 handlers. With 64 KB reads of 0.1 ms they reach 7 GB/s.
   */
  public static final int USUAL_READERS = 12;

  /** The smallest write limit. With less, one region would take minutes. */
  public static final long MIN_WRITE_BYTES_PER_SECOND = 64 << 10;

  /** Out of service after a second without progress, a probe every five seconds, no write limit. */
  public static final IoLimits USUAL = of(USUAL_READERS, 0);

  /** The usual limits, with other bounds on callers inside one device and on writes. */
  public static IoLimits of(int readers, long writeBytesPerSecond) {
    return new IoLimits(Duration.ofSeconds(1), Duration.ofSeconds(5), readers, writeBytesPerSecond);
  }
}
