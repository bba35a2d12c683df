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
package dev.terrace.hbase.settings;

import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the tiers take of each file system. Checked before anything is opened: each directory is
 * there, and no file system is to give more than it can.
 */
public final class DiskShares {

  private record Share(Setting sizeSetting, TierSpace tier, Path path, long bytes) {}

  /** The shares of each file system, by its device number: a bind mount is the same one. */
  private final Map<Object, List<Share>> byDevice = new LinkedHashMap<>();

  private final List<String> problems = new ArrayList<>();
  private final boolean createPaths;

  private DiskShares(boolean createPaths) {
    this.createPaths = createPaths;
  }

  /**
   * Checks the directories and their file systems.
   *
   * @throws SettingsException naming what is absent, and what is too large and would fit
   */
  public static void check(TerraceSettings settings) {
    DiskShares shares = new DiskShares(settings.createPaths());
    try {
      shares.add(TerraceSettings.PMEM_PATHS, TerraceSettings.PMEM_SIZE, settings.pmem());
      shares.add(TerraceSettings.SSD_PATHS, TerraceSettings.SSD_SIZE, settings.ssd());
      for (List<Share> ofOne : shares.byDevice.values()) {
        shares.checkSpace(ofOne);
      }
    } catch (IOException e) {
      throw new SettingsException("the disks of the tiers cannot be looked at: " + e, e);
    }
    if (!shares.problems.isEmpty()) {
      throw new SettingsException(shares.problems);
    }
  }

  private void add(Setting paths, Setting size, TierSpace tier) throws IOException {
    if (!tier.isConfigured()) {
      return;
    }
    long bytes = PathSplit.of(tier.paths(), tier.sizeBytes()).geometry().sizeBytes();
    for (Path path : tier.paths()) {
      if (!createPaths && !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        problems.add(
            paths.key()
                + " names "
                + path
                + ", which does not exist: mount its disk or make the directory; with "
                + TerraceSettings.CREATE_PATHS.key()
                + "=true it is made if its parent is there");
        continue;
      }
      Path directory = existing(path);
      if (Files.isDirectory(directory)) {
        byDevice
            .computeIfAbsent(Files.getAttribute(directory, "unix:dev"), d -> new ArrayList<>())
            .add(new Share(size, tier, path, bytes));
      }
    }
  }

  /** The path, or the directory in which it is going to be made. */
  private static Path existing(Path path) {
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
      problems.add(tooLarge(shares, store, wantedBytes, fittingBytes));
    }
  }

  private static String tooLarge(
      List<Share> shares, FileStore store, long wantedBytes, long fittingBytes) {
    Map<Setting, TierSpace> tiers = new LinkedHashMap<>();
    shares.forEach(share -> tiers.put(share.sizeSetting, share.tier));
    String problem =
        tiers.entrySet().stream()
                .map(tier -> tier.getKey().key() + "=" + tier.getValue().sizeBytes())
                .collect(Collectors.joining(" and "))
            + (tiers.size() == 1 ? " is" : " are")
            + " too large for "
            + store
            + ": "
            + DirectMemory.readable(wantedBytes)
            + " are to lie there, in "
            + shares.stream().map(share -> share.path.toString()).collect(Collectors.joining(", "))
            + ", and "
            + DirectMemory.readable(fittingBytes)
            + " fit; free space, or ";
    if (tiers.size() > 1) {
      return problem + "make both smaller until that fits";
    }
    Share one = shares.get(0);
    long fittingMegabytes = (fittingBytes / shares.size() * one.tier.paths().size()) >> 20;
    return problem + "set " + one.sizeSetting.key() + " to " + fittingMegabytes + "m at most";
  }
}
