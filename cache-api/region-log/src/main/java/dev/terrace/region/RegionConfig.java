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

import dev.terrace.region.compression.Compression;
import dev.terrace.region.memory.DirectMemory;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The settings of a region tier that do not depend on the kind of its devices.
 *
 * @param name a short name for logs and tables, such as {@code ssd}
 * @param verifyReads whether to verify a block's checksum at each read from a file; if not, only at
 *     the first read after a restart. The block's identity is always checked
 * @param stallLimit time without progress after which a device is taken out of service
 * @param probeInterval pause before a device out of service is tried again
 * @param writeLimitBytes most bytes a second written to all file devices, over every ten seconds; 0
 *     for no limit
 * @param readers most callers inside one file device at a time; at least 1
 * @param scrubPeriod time in which the background scrub verifies all blocks at rest, if lookups
 *     trust blocks that they verified once; zero for no scrub
 * @param origins the origins of files, kept over a restart
 * @param storable whether a file's blocks may lie on the devices; asked at each put, by its thread
 * @param encrypted whether a file's blocks lie there encrypted, for which the devices must have
 *     data keys; asked at each put that is storable
 * @param compression how blocks are compressed that shrink
 * @param indexMemory memory for the index. If there is no more of it, blocks leave for others
 */
public record RegionConfig(
    String name,
    boolean verifyReads,
    Duration stallLimit,
    Duration probeInterval,
    long writeLimitBytes,
    int readers,
    Duration scrubPeriod,
    FileOrigins origins,
    Predicate<String> storable,
    Predicate<String> encrypted,
    Compression compression,
    DirectMemory indexMemory) {

  /**
   * Usual number of callers inside one device. A device that hangs holds so many of a region
   * server's 30 handlers. With reads of 64 KB in 0.1 ms they reach 7 GB/s.
   */
  public static final int USUAL_READERS = 12;

  /** The least write limit. One region would take minutes with less. */
  public static final long LEAST_WRITE_LIMIT_BYTES = 64 << 10;

  /** Checks the parts. */
  public RegionConfig {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(origins, "origins");
    Objects.requireNonNull(storable, "storable");
    Objects.requireNonNull(encrypted, "encrypted");
    Objects.requireNonNull(compression, "compression");
    Objects.requireNonNull(indexMemory, "indexMemory");
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

  /**
   * The usual number of readers, no scrub, no origins, all files storable in clear and as they are,
   * and the JVM's memory for the index.
   */
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
        FileOrigins.NONE,
        file -> true,
        file -> false,
        Compression.NONE,
        DirectMemory.JVM);
  }

  private static void requirePositive(String what, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(what + "=" + duration + " is not positive");
    }
  }

  /**
   * The usual settings: all reads verified, out of service after a second without progress, a probe
   * every five seconds.
   */
  public static RegionConfig named(String name) {
    return new RegionConfig(name, true, Duration.ofSeconds(1), Duration.ofSeconds(5), 0);
  }

  /** The same, with {@code verifyReads}. */
  public RegionConfig withVerifyReads(boolean verify) {
    return new RegionConfig(
        name,
        verify,
        stallLimit,
        probeInterval,
        writeLimitBytes,
        readers,
        scrubPeriod,
        origins,
        storable,
        encrypted,
        compression,
        indexMemory);
  }

  /** The same, with a write limit. */
  public RegionConfig withWriteLimitBytes(long bytesPerSecond) {
    return new RegionConfig(
        name,
        verifyReads,
        stallLimit,
        probeInterval,
        bytesPerSecond,
        readers,
        scrubPeriod,
        origins,
        storable,
        encrypted,
        compression,
        indexMemory);
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
        fileOrigins,
        storable,
        encrypted,
        compression,
        indexMemory);
  }

  /** The same, with another bound on callers inside one device. */
  public RegionConfig withReaders(int most) {
    return new RegionConfig(
        name,
        verifyReads,
        stallLimit,
        probeInterval,
        writeLimitBytes,
        most,
        scrubPeriod,
        origins,
        storable,
        encrypted,
        compression,
        indexMemory);
  }

  /** The same, with another period of the scrub. */
  public RegionConfig withScrubPeriod(Duration period) {
    return new RegionConfig(
        name,
        verifyReads,
        stallLimit,
        probeInterval,
        writeLimitBytes,
        readers,
        period,
        origins,
        storable,
        encrypted,
        compression,
        indexMemory);
  }

  /** The same, with a choice of the files whose blocks may lie on the devices. */
  public RegionConfig withStorable(Predicate<String> files) {
    return new RegionConfig(
        name,
        verifyReads,
        stallLimit,
        probeInterval,
        writeLimitBytes,
        readers,
        scrubPeriod,
        origins,
        files,
        encrypted,
        compression,
        indexMemory);
  }

  /** The same, with a choice of the files whose blocks are encrypted. */
  public RegionConfig withEncrypted(Predicate<String> files) {
    return new RegionConfig(
        name,
        verifyReads,
        stallLimit,
        probeInterval,
        writeLimitBytes,
        readers,
        scrubPeriod,
        origins,
        storable,
        files,
        compression,
        indexMemory);
  }

  /** The same, with blocks that are compressed. */
  public RegionConfig withCompression(Compression way) {
    return new RegionConfig(
        name,
        verifyReads,
        stallLimit,
        probeInterval,
        writeLimitBytes,
        readers,
        scrubPeriod,
        origins,
        storable,
        encrypted,
        way,
        indexMemory);
  }

  /**
   * The same, with an index that leaves direct memory to others.
   *
   * @param plannedBytes what it may take in any case
   * @param sparedBytes what of the JVM's limit must be free after it took more
   */
  public RegionConfig withIndexMemory(long plannedBytes, long sparedBytes) {
    return withIndexMemory(DirectMemory.sparing(plannedBytes, sparedBytes));
  }

  /** The same, with memory for the index from elsewhere. */
  RegionConfig withIndexMemory(DirectMemory memory) {
    return new RegionConfig(
        name,
        verifyReads,
        stallLimit,
        probeInterval,
        writeLimitBytes,
        readers,
        scrubPeriod,
        origins,
        storable,
        encrypted,
        compression,
        memory);
  }
}
