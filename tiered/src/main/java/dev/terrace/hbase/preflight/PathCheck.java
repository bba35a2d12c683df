// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Finding.Severity;
import dev.terrace.hbase.settings.Findings;
import dev.terrace.hbase.settings.Setting;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.hbase.settings.TierSize;
import dev.terrace.pmem.MappedDevice;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.DiskSpace;
import dev.terrace.region.folder.PathAnswers;
import dev.terrace.region.folder.UnusablePathException;
import dev.terrace.region.folder.UnusablePathException.FatalPathException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks that each directory of PMem and SSD can be opened, is on the right kind of file system,
 * and has room for its share of the tier.
 */
public final class PathCheck {

  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

  /** File systems on another machine, or served by a process. */
  private static final Pattern NETWORK =
      Pattern.compile("(nfs|cifs|smb|9p|virtiofs|ceph|lustre|gpfs|beegfs|glusterfs|fuse|afs).*");

  private final TerraceSettings settings;
  private final Set<Path> silent = new HashSet<>();
  private final Set<Path> usable = new LinkedHashSet<>();
  private final Set<Path> onDax = ConcurrentHashMap.newKeySet();
  private final Set<Path> inMemory = new HashSet<>();
  private final Findings findings = new Findings();

  /** Checks all paths of the tiers. A path that hangs is unusable after ten seconds. */
  PathCheck(TerraceSettings settings) {
    this(
        settings,
        path -> {
          CacheFolder.check(path);
          return true;
        },
        PathAnswers.LIMIT);
  }

  /**
   * Checks the paths with another check of their folders.
   *
   * @param check whether a folder that exists can be used; or it throws why not
   */
  PathCheck(TerraceSettings settings, PathAnswers.Question<Boolean> check, Duration limit) {
    this.settings = settings;
    Map<Path, Setting<?>> keys = new LinkedHashMap<>();
    settings.pmem().paths().forEach(path -> keys.put(path, TerraceSettings.PMEM_PATHS));
    settings.ssd().paths().forEach(path -> keys.put(path, TerraceSettings.SSD_PATHS));
    boolean mayMake = settings.get(TerraceSettings.CREATE_PATHS);
    try {
      PathAnswers<Boolean> answers =
          PathAnswers.of(
              keys.keySet(),
              path -> {
                if (!mayMake && Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
                  return false;
                }
                boolean found = check.ask(path);
                if (settings.pmem().paths().contains(path) && MappedDevice.isOnDax(path)) {
                  onDax.add(path);
                }
                return found;
              },
              limit);
      keys.forEach((path, key) -> take(path, key, answers));
      checkFileSystems();
    } catch (IOException e) {
      findings.add(Severity.OUT, "unreadable-disk", e);
    }
  }

  private void take(Path path, Setting<?> key, PathAnswers<Boolean> answers) {
    if (!answers.has(path)) {
      silent.add(path);
    }
    try {
      if (answers.of(path)) {
        usable.add(path);
        FileStore store = Files.getFileStore(existing(path));
        boolean isRoot = store.equals(Files.getFileStore(Path.of("/")));
        boolean isPmem = key.equals(TerraceSettings.PMEM_PATHS);
        checkMount(path, store.type(), isRoot, isPmem, isOnDax(path), findings);
        if (isMemory(store.type())) {
          inMemory.add(path);
        }
      } else {
        findings.error("no-path", key.key(), path);
      }
    } catch (UnusablePathException e) {
      boolean stops = e instanceof FatalPathException;
      findings.add(
          stops ? Severity.ERROR : Severity.OUT,
          stops ? "refused-path" : "path-out",
          key.key(),
          e.problem(),
          e.remedy());
    } catch (IOException e) {
      findings.add(Severity.OUT, "unreadable-disk", e);
    }
  }

  boolean isUsable(Path path) {
    return usable.contains(path);
  }

  /** Whether a path hangs, so it must not be accessed. */
  public boolean isSilent(Path path) {
    return silent.contains(path);
  }

  /** Whether files in a PMem path are mapped with DAX. */
  public boolean isOnDax(Path path) {
    return onDax.contains(path);
  }

  List<Finding> findings() {
    return findings;
  }

  /**
   * Checks the file system of a path.
   *
   * @param type such as {@code ext4}
   * @param isRoot whether it is the file system of the operating system
   */
  static void checkMount(
      Path path, String type, boolean isRoot, boolean isPmem, boolean isOnDax, Findings findings) {
    if (NETWORK.matcher(type).matches()) {
      findings.warning("network-path", path, type);
    }
    if (isRoot) {
      findings.warning("root-path", path);
    }
    if (isPmem && !isOnDax && !isMemory(type)) {
      findings.warning("no-dax", path, type);
    }
    if (!isPmem && isMemory(type)) {
      findings.warning("ssd-in-memory", path, type);
    }
  }

  private static boolean isMemory(String type) {
    return MEMORY.contains(type);
  }

  /** Whether the files of a usable path are in memory. */
  boolean isInMemory(Path path) {
    return inMemory.contains(path);
  }

  /** The path, or if it does not exist yet, its parent. */
  private static Path existing(Path path) {
    return Files.exists(path) || path.getParent() == null ? path : path.getParent();
  }

  /** Finds paths that share a file system, or need more space than it has. */
  private void checkFileSystems() throws IOException {
    // Grouped by device number: a bind mount is the same file system.
    Map<Object, Map<Path, DiskSpace>> byDevice = new LinkedHashMap<>();
    for (Path path : usable) {
      DiskSpace disk = DiskSpace.of(path);
      byDevice.computeIfAbsent(disk.device(), added -> new LinkedHashMap<>()).put(path, disk);
    }
    for (Map<Path, DiskSpace> disks : byDevice.values()) {
      checkSpace(disks);
      if (disks.size() > 1) {
        findings.warning("one-file-system", names(disks.keySet()));
      }
    }
  }

  private static String names(Set<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  private Setting<TierSize> sizeOf(Path path) {
    boolean isPmem = settings.pmem().paths().contains(path);
    return isPmem ? TerraceSettings.PMEM_SIZE : TerraceSettings.SSD_SIZE;
  }

  private TierSpace tierOf(Path path) {
    return settings.space(sizeOf(path));
  }

  private void checkSpace(Map<Path, DiskSpace> disks) {
    Path one = disks.keySet().iterator().next();
    DiskSpace disk = disks.get(one);
    long wantedBytes =
        disks.keySet().stream()
            .mapToLong(path -> tierOf(path).split().geometry(path).sizeBytes())
            .sum();
    long fittingBytes = disk.bytesFor(disks.values());
    // A tmpfs may have no limit, and some file systems do not report their size.
    if (!disk.isKnown() || wantedBytes <= fittingBytes) {
      return;
    }
    List<String> sizes =
        disks.keySet().stream()
            .map(path -> sizeOf(path).with(tierOf(path).size()))
            .distinct()
            .toList();
    long fittingMegabytes = (fittingBytes / disks.size() * tierOf(one).paths().size()) >> 20;
    findings.error(
        "full-disk",
        String.join(" and ", sizes) + (sizes.size() == 1 ? " is" : " are"),
        disk.store(),
        ByteSize.readable(wantedBytes),
        names(disks.keySet()),
        ByteSize.readable(fittingBytes),
        // A pod has 64 MB in /dev/shm unless told otherwise.
        disk.store().type().equals("tmpfs")
            ? "mount a larger tmpfs (in a pod an emptyDir of medium Memory), "
            : "",
        sizes.size() > 1
            ? "make both smaller until they fit"
            : "set " + sizeOf(one).key() + " to " + fittingMegabytes + "m at most");
  }
}
