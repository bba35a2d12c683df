// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.api.CacheFiles;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.files.FileRules;
import dev.terrace.region.memory.DirectMemory;
import java.time.Duration;

/**
 * The settings of a region tier that do not depend on the kind of its devices.
 *
 * @param name a short name for logs and tables, such as {@code ssd}
 * @param limits limits on the devices' I/O
 * @param files the files of the cache
 * @param rules how the tier treats the blocks of a file
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
    FileRules rules,
    Compression compression,
    boolean verify,
    Duration scrubPeriod,
    DirectMemory indexMemory) {

  /**
   * Defaults: default limits, no rules for files, no compression, every read verified, no scrub,
   * and the JVM's memory for the index.
   */
  public static RegionConfig named(String name, CacheFiles files) {
    return new RegionConfig(
        name,
        files,
        IoLimits.USUAL,
        FileRules.NONE,
        Compression.NONE,
        true,
        Duration.ZERO,
        DirectMemory.JVM);
  }

  /** The same, with other limits on the devices' I/O. */
  public RegionConfig withLimits(IoLimits io) {
    return new RegionConfig(name, files, io, rules, compression, verify, scrubPeriod, indexMemory);
  }

  /** The same, with rules for files. */
  public RegionConfig withRules(FileRules other) {
    return new RegionConfig(
        name, files, limits, other, compression, verify, scrubPeriod, indexMemory);
  }

  /** The same, with this compression of blocks. */
  public RegionConfig withCompression(Compression way) {
    return new RegionConfig(name, files, limits, rules, way, verify, scrubPeriod, indexMemory);
  }

  /** The same, with each read from a file verified, or only a block's first one. */
  public RegionConfig withVerify(boolean each) {
    return new RegionConfig(
        name, files, limits, rules, compression, each, scrubPeriod, indexMemory);
  }

  /** The same, with another scrub period. */
  public RegionConfig withScrubPeriod(Duration period) {
    return new RegionConfig(name, files, limits, rules, compression, verify, period, indexMemory);
  }

  /** The same, with another source of memory for the index. */
  public RegionConfig withIndexMemory(DirectMemory memory) {
    return new RegionConfig(name, files, limits, rules, compression, verify, scrubPeriod, memory);
  }
}
