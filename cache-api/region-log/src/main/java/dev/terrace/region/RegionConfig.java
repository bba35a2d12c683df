// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.api.CacheFiles;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.log.ExpiringBlocks;
import dev.terrace.region.memory.DirectMemory;
import java.time.Duration;

/**
 * The settings of a region tier that do not depend on the kind of its devices.
 *
 * @param name a short name for logs and tables, such as {@code ssd}
 * @param limits limits on the devices' I/O
 * @param files the files of the cache
 * @param expiring the blocks that are neither stored nor rewritten
 * @param encryptsAll whether all blocks are encrypted, or only those of encrypted files
 * @param compression how to compress blocks, where that shrinks them
 * @param verify whether every read from a file verifies the block's checksum, or only the first one
 *     after a restart. The block's identity is always checked
 * @param scrubPeriod time in which the background scrub verifies all blocks at rest, where lookups
 *     verify a block only once; zero for no scrub
 * @param indexMemory memory for the index. When it is full, old blocks are evicted
 */
public record RegionConfig(
    String name,
    CacheFiles files,
    IoLimits limits,
    ExpiringBlocks expiring,
    boolean encryptsAll,
    Compression compression,
    boolean verify,
    Duration scrubPeriod,
    DirectMemory indexMemory) {

  /**
   * Defaults: default limits, no block expires, no compression, every read verified, no scrub, and
   * the JVM's memory for the index.
   */
  public static RegionConfig named(String name, CacheFiles files) {
    return new RegionConfig(
        name,
        files,
        IoLimits.USUAL,
        ExpiringBlocks.NONE,
        false,
        Compression.NONE,
        true,
        Duration.ZERO,
        DirectMemory.JVM);
  }

  public RegionConfig withLimits(IoLimits io) {
    return new RegionConfig(
        name, files, io, expiring, encryptsAll, compression, verify, scrubPeriod, indexMemory);
  }

  /** The same, with blocks that expire. */
  public RegionConfig withExpiring(ExpiringBlocks blocks) {
    return new RegionConfig(
        name, files, limits, blocks, encryptsAll, compression, verify, scrubPeriod, indexMemory);
  }

  /** The same, with all blocks encrypted, or only those of encrypted files. */
  public RegionConfig withEncryptsAll(boolean all) {
    return new RegionConfig(
        name, files, limits, expiring, all, compression, verify, scrubPeriod, indexMemory);
  }

  public RegionConfig withCompression(Compression way) {
    return new RegionConfig(
        name, files, limits, expiring, encryptsAll, way, verify, scrubPeriod, indexMemory);
  }

  /** The same, with each read from a file verified, or only a block's first one. */
  public RegionConfig withVerify(boolean each) {
    return new RegionConfig(
        name, files, limits, expiring, encryptsAll, compression, each, scrubPeriod, indexMemory);
  }

  public RegionConfig withScrubPeriod(Duration period) {
    return new RegionConfig(
        name, files, limits, expiring, encryptsAll, compression, verify, period, indexMemory);
  }

  public RegionConfig withIndexMemory(DirectMemory memory) {
    return new RegionConfig(
        name, files, limits, expiring, encryptsAll, compression, verify, scrubPeriod, memory);
  }
}
