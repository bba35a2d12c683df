// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Setting;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TierSpace;
import dev.terrace.region.folder.CacheFolder;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the tiers take of each file system: none is to give more than it can. */
final class DiskShares {

  private record Share(Setting<Long> sizeSetting, TierSpace tier, Path path, long bytes) {}

  /** The shares of each file system, by its device number: a bind mount is the same one. */
  private final Map<Object, List<Share>> byDevice = new LinkedHashMap<>();

  private final List<Finding> findings = new ArrayList<>();

  /**
   * Finds what is too large, and paths that share a file system. Paths that cannot be used do not
   * count.
   */
  static List<Finding> check(TerraceSettings settings, PathCheck usable) throws IOException {
    DiskShares shares = new DiskShares();
    shares.add(TerraceSettings.PMEM_SIZE, settings.pmem(), usable);
    shares.add(TerraceSettings.SSD_SIZE, settings.ssd(), usable);
    for (List<Share> ofOne : shares.byDevice.values()) {
      shares.checkSpace(ofOne);
      if (ofOne.size() > 1) {
        shares.findings.add(shared(ofOne));
      }
    }
    return shares.findings;
  }

  private static Finding shared(List<Share> shares) {
    return Finding.warning(
        names(shares) + " lie on one file system",
        "They share the speed of its disk, and its failure takes all of them out of service.",
        "name one path on each disk");
  }

  private static String names(List<Share> shares) {
    return shares.stream().map(share -> share.path.toString()).collect(Collectors.joining(", "));
  }

  private void add(Setting<Long> size, TierSpace tier, PathCheck usable) throws IOException {
    if (!tier.isConfigured()) {
      return;
    }
    long bytes = tier.split().geometry().sizeBytes();
    for (Path path : tier.paths()) {
      if (usable.isUsable(path)) {
        byDevice
            .computeIfAbsent(Files.getAttribute(existing(path), "unix:dev"), d -> new ArrayList<>())
            .add(new Share(size, tier, path, bytes));
      }
    }
  }

  /** The path, or the directory in which it is going to be made. */
  static Path existing(Path path) {
    return Files.exists(path) || path.getParent() == null ? path : path.getParent();
  }

  private void checkSpace(List<Share> shares) throws IOException {
    FileStore store = Files.getFileStore(existing(shares.get(0).path));
    long totalBytes = store.getTotalSpace();
    if (totalBytes == 0) {
      // A tmpfs without a limit.
      return;
    }
    long wantedBytes = 0;
    long thereBytes = 0;
    for (Share share : shares) {
      wantedBytes += share.bytes;
      thereBytes += CacheFolder.regionsFileBytes(share.path);
    }
    // Files that are there may have holes, but do not take more than is taken there at all.
    long ownBytes = Math.min(thereBytes, totalBytes - store.getUnallocatedSpace());
    long fittingBytes = store.getUsableSpace() + ownBytes;
    if (wantedBytes > fittingBytes) {
      findings.add(tooLarge(shares, store, wantedBytes, fittingBytes));
    }
  }

  private static Finding tooLarge(
      List<Share> shares, FileStore store, long wantedBytes, long fittingBytes) {
    Map<Setting<Long>, TierSpace> tiers = new LinkedHashMap<>();
    shares.forEach(share -> tiers.put(share.sizeSetting, share.tier));
    String what =
        tiers.entrySet().stream()
                .map(tier -> tier.getKey().with(tier.getValue().sizeBytes()))
                .collect(Collectors.joining(" and "))
            + (tiers.size() == 1 ? " is" : " are")
            + " too large for "
            + store
            + ": "
            + ByteSize.readable(wantedBytes)
            + " are to lie there, in "
            + names(shares)
            + ", and "
            + ByteSize.readable(fittingBytes)
            + " fit";
    return Finding.error(
        what,
        "A tier whose disk is full takes no more blocks.",
        "free space, "
            // A pod has 64 MB in /dev/shm unless told otherwise.
            + (store.type().equals("tmpfs")
                ? "mount a larger tmpfs (in a pod an emptyDir of medium Memory), "
                : "")
            + "or "
            + (tiers.size() > 1
                ? "make both smaller until that fits"
                : smaller(shares, fittingBytes)));
  }

  private static String smaller(List<Share> shares, long fittingBytes) {
    Share one = shares.get(0);
    long fittingMegabytes = (fittingBytes / shares.size() * one.tier.paths().size()) >> 20;
    return "set " + one.sizeSetting.key() + " to " + fittingMegabytes + "m at most";
  }
}
