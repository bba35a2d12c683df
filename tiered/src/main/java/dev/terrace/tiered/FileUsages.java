// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.FileUsage;
import dev.terrace.api.TierView;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The blocks of all tiers and the usage by file, with each block counted once. Each tier counts its
 * own blocks of a file. Blocks are compared one by one only for files in several tiers that have
 * changed, and never those of the lowest, largest tier. Thread-safe.
 */
final class FileUsages {

  /**
   * The blocks of a file that a tier holds and no tier below does.
   *
   * @param changes those of the file before the blocks were visited
   */
  private record Missing(int changes, FileUsage usage) {}

  private final CacheFiles files;
  private final List<TierView> tiers;

  FileUsages(CacheFiles files, List<? extends TierView> tiers) {
    this.files = files;
    this.tiers = List.copyOf(tiers);
  }

  /**
   * How much of a file is resident, each block counted once, in bytes as served. For compressed
   * blocks these are estimated from the average compression of their tier.
   */
  FileUsage of(CacheFile file) {
    int blocks = 0;
    long bytes = 0;
    boolean isBelow = false;
    for (int i = tiers.size() - 1; i >= 0; i--) {
      FileUsage usage = tiers.get(i).usage(file);
      if (usage.blocks() > 0 && isBelow) {
        usage = missingBelow(i, file);
      }
      isBelow |= usage.blocks() > 0;
      blocks += usage.blocks();
      bytes += tiers.get(i).estimatedPlainBytes(usage.payloadBytes());
    }
    return new FileUsage(file, blocks, bytes);
  }

  private FileUsage missingBelow(int index, CacheFile file) {
    // Threads race here, and each finds a right value.
    Missing[] known = file.table(this, () -> new Missing[tiers.size()]);
    int changes = file.changes();
    Missing missing = known[index];
    if (missing == null || missing.changes != changes) {
      missing = new Missing(changes, findMissing(index, file));
      known[index] = missing;
    }
    return missing.usage;
  }

  private FileUsage findMissing(int index, CacheFile file) {
    List<? extends TierView> below = tiers.subList(index + 1, tiers.size());
    int[] blocks = new int[1];
    long[] payloadBytes = new long[1];
    tiers
        .get(index)
        .forEachBlock(
            file,
            (offset, sizeBytes, traits, hits) -> {
              if (below.stream().noneMatch(tier -> tier.contains(file, offset))) {
                blocks[0]++;
                payloadBytes[0] += sizeBytes;
              }
            });
    return new FileUsage(file, blocks[0], payloadBytes[0]);
  }

  /** Visits the blocks of a file, each in the highest tier that holds it. */
  void forEachBlock(CacheFile file, TieredCache.PlacedBlocks visitor) {
    for (int i = 0; i < tiers.size(); i++) {
      int at = i;
      TierView tier = tiers.get(at);
      List<? extends TierView> above = tiers.subList(0, at);
      tier.forEachBlock(
          file,
          (offset, sizeBytes, traits, hits) -> {
            if (above.stream().noneMatch(each -> each.contains(file, offset))) {
              int served = (int) Math.min(Integer.MAX_VALUE, tier.estimatedPlainBytes(sizeBytes));
              visitor.block(at, offset, served, traits, hits);
            }
          });
    }
  }

  /** The resident blocks, each once, weakly consistent. */
  Iterator<BlockInfo> blocks() {
    Stream<BlockInfo> blocks = Stream.empty();
    for (int at = 0; at < tiers.size(); at++) {
      List<? extends TierView> above = tiers.subList(0, at);
      blocks =
          Stream.concat(
              blocks,
              blocks(tiers.get(at))
                  .filter(block -> above.stream().noneMatch(tier -> holds(tier, block.key()))));
    }
    return blocks.iterator();
  }

  private static Stream<BlockInfo> blocks(TierView tier) {
    Iterable<BlockInfo> blocks = tier::blocks;
    return StreamSupport.stream(blocks::spliterator, 0, false);
  }

  private static boolean holds(TierView tier, BlockKey key) {
    return tier.contains(key.file(), key.offset());
  }

  /** The resident files, weakly consistent. */
  Iterator<FileUsage> all() {
    return files.all().stream().map(this::of).filter(usage -> usage.blocks() > 0).iterator();
  }
}
