// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.hbase.settings.Setting.Kind.Faults;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.DiskSpace;
import dev.terrace.region.folder.PathAnswers;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the disks of tiers whose sizes are shares of them.
 *
 * <p>A path's disk is what its file system has left for this user, and what the cache's own regions
 * take there, less room for the cache's other files. A path keeps the size that it has while its
 * share works out within a fiftieth of that size.
 */
final class DiskShares {

  private static final int TOLERANCE_PART = 50;

  /** Of a tier whose disks are all out of service: it has regions of the usual size. */
  private static final long UNKNOWN_BYTES =
      (long) PathSplit.MIN_REGIONS * PathSplit.DEFAULT_REGION_BYTES;

  private final List<TierSpace> tiers;

  /** The disks that have answered. */
  private final Map<Path, DiskSpace> disks = new LinkedHashMap<>();

  DiskShares(TierSpace... tiers) {
    this.tiers = List.of(tiers);
    if (this.tiers.stream().anyMatch(tier -> tier.size().isShare())) {
      List<Path> paths = this.tiers.stream().flatMap(tier -> tier.paths().stream()).toList();
      try {
        PathAnswers<DiskSpace> answers = PathAnswers.of(paths, DiskSpace::of, PathAnswers.LIMIT);
        for (Path path : paths) {
          try {
            disks.put(path, answers.of(path));
          } catch (IOException e) {
            // The path is out of service. The check of paths, or its opening, reports it.
          }
        }
      } catch (IOException e) {
        // Interrupted: as if none had answered.
        disks.clear();
      }
    }
  }

  /** The size of a tier; a path whose disk does not answer keeps its size before. */
  TierSize bytes(TierSpace tier, Map<Path, Long> before, Faults faults) {
    int percent = tier.size().percent();
    Map<Path, Long> sizes = new LinkedHashMap<>();
    tier.paths().stream()
        .filter(disks::containsKey)
        .forEach(path -> sizes.put(path, bytes(path, percent, faults)));
    long least = sizes.isEmpty() ? UNKNOWN_BYTES : Collections.min(sizes.values());
    tier.paths().forEach(path -> sizes.putIfAbsent(path, before.getOrDefault(path, least)));
    int regionBytes = PathSplit.of(sizes).regionBytes();
    return new TierSize(
        percent, tier.paths().stream().map(path -> sizes.get(path) & -regionBytes).toList());
  }

  private long bytes(Path path, int percent, Faults faults) {
    DiskSpace disk = disks.get(path);
    int paths = 0;
    int percents = 0;
    for (TierSpace tier : tiers) {
      for (Path each : tier.paths()) {
        if (disks.containsKey(each) && disks.get(each).device().equals(disk.device())) {
          paths++;
          percents += tier.size().percent();
        }
      }
    }
    long allBytes =
        Math.max(0, disk.bytesFor(disks.values()) - paths * CacheFolder.MAX_OTHER_BYTES);
    long share = allBytes / 100 * percent;
    long present = disk.regionsBytes();
    boolean keeps = present <= allBytes && Math.abs(share - present) <= present / TOLERANCE_PART;
    long bytes = keeps ? present : share;
    if (!disk.isKnown()) {
      faults.add(
          "disk-of-unknown-size", path, disk.store().type(), disk.totalBytes(), disk.usableBytes());
    } else if (percents > 100) {
      faults.add("above-the-disk", percents, path);
    } else if (bytes < PathSplit.MIN_PATH_BYTES) {
      faults.add(
          "little-space",
          ByteSize.readable(bytes),
          path,
          ByteSize.readable(PathSplit.MIN_PATH_BYTES));
    }
    return bytes;
  }
}
