/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region;

import java.time.Duration;
import java.util.Objects;

/**
 * How a region tier behaves, whatever its devices are.
 *
 * @param name a short name for logs and tables, such as {@code ssd}
 * @param verifyReads whether the checksum of a block is computed at each read from a device that is
 *     not memory; if not, only at the first one after a restart. Which block it is, is always
 *     checked
 * @param stallLimit a device that makes no progress for this long is taken out of service
 * @param probeInterval how long a device that was taken out rests before it is tried again
 * @param writeLimitBytes bytes a second that may be written to all devices that are not memory,
 *     over every ten seconds; 0 is no limit
 * @param readers callers that may be inside one device at a time, if that is not memory; at least 1
 * @param scrubPeriod how long the background scrub takes to verify all blocks at rest, where
 *     lookups trust what they verified once; zero is no scrub
 * @param origins where files belong; kept with them over a restart
 */
public record RegionConfig(
    String name,
    boolean verifyReads,
    Duration stallLimit,
    Duration probeInterval,
    long writeLimitBytes,
    int readers,
    Duration scrubPeriod,
    FileOrigins origins) {

  /**
   * Callers inside one device, if nobody says otherwise. A device that hangs holds so many of a
   * region server's 30 handlers; a read of 64 KB that takes 0.1 ms gives 7 GB/s with so many.
   */
  public static final int USUAL_READERS = 12;

  /** The least limit: with less than this even one region takes minutes. */
  public static final long LEAST_WRITE_LIMIT_BYTES = 64 << 10;

  /** Checks the parts. */
  public RegionConfig {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(origins, "origins");
    requirePositive("stallLimit", stallLimit);
    requirePositive("probeInterval", probeInterval);
    if (scrubPeriod.isNegative()) {
      throw new IllegalArgumentException("scrubPeriod=" + scrubPeriod + " is negative");
    }
    if (readers < 1) {
      throw new IllegalArgumentException("readers=" + readers + " is not positive");
    }
    if (writeLimitBytes != 0 && writeLimitBytes < LEAST_WRITE_LIMIT_BYTES) {
      throw new IllegalArgumentException(
          "writeLimitBytes=" + writeLimitBytes + " is neither 0 nor " + LEAST_WRITE_LIMIT_BYTES);
    }
  }

  /** The usual number of readers, no scrub, and no origins. */
  public RegionConfig(
      String name,
      boolean verifyReads,
      Duration stallLimit,
      Duration probeInterval,
      long writeLimitBytes) {
    this(
        name,
        verifyReads,
        stallLimit,
        probeInterval,
        writeLimitBytes,
        USUAL_READERS,
        Duration.ZERO,
        FileOrigins.NONE);
  }

  private static void requirePositive(String what, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(what + "=" + duration + " is not positive");
    }
  }

  /** What is right for most: all reads verified, one second of patience, five of rest. */
  public static RegionConfig named(String name) {
    return new RegionConfig(name, true, Duration.ofSeconds(1), Duration.ofSeconds(5), 0);
  }

  /** The same, with the checksum of each read computed or not. */
  public RegionConfig withVerifyReads(boolean verify) {
    return new RegionConfig(
        name, verify, stallLimit, probeInterval, writeLimitBytes, readers, scrubPeriod, origins);
  }

  /** The same, with a limit of what is written in a second. */
  public RegionConfig withWriteLimitBytes(long bytesPerSecond) {
    return new RegionConfig(
        name,
        verifyReads,
        stallLimit,
        probeInterval,
        bytesPerSecond,
        readers,
        scrubPeriod,
        origins);
  }

  /** The same, with origins of the files. */
  public RegionConfig withOrigins(FileOrigins fileOrigins) {
    return new RegionConfig(
        name,
        verifyReads,
        stallLimit,
        probeInterval,
        writeLimitBytes,
        readers,
        scrubPeriod,
        fileOrigins);
  }

  /** The same, with another number of callers inside one device. */
  public RegionConfig withReaders(int most) {
    return new RegionConfig(
        name, verifyReads, stallLimit, probeInterval, writeLimitBytes, most, scrubPeriod, origins);
  }

  /** The same, with a background scrub that takes so long. */
  public RegionConfig withScrubPeriod(Duration period) {
    return new RegionConfig(
        name, verifyReads, stallLimit, probeInterval, writeLimitBytes, readers, period, origins);
  }
}
