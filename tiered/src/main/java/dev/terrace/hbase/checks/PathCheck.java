// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.checks.Mounts.Mount;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Setting;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.CachePathException;
import dev.terrace.region.folder.WrongPathException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks the directories of PMem and SSD: there, owned, on the right kind of file system. */
final class PathCheck implements Check {

  @Override
  public List<Finding> of(Start start) {
    TerraceSettings settings = start.settings();
    List<Finding> findings = new ArrayList<>();
    try {
      Mounts mounts = Mounts.ofThisSystem();
      for (Path path : settings.pmem().paths()) {
        if (check(TerraceSettings.PMEM_PATHS, path, settings, findings)) {
          findings.addAll(ofPmem(path, mounts.of(DiskShares.existing(path))));
        }
      }
      for (Path path : settings.ssd().paths()) {
        if (check(TerraceSettings.SSD_PATHS, path, settings, findings)) {
          findings.addAll(ofSsd(path, mounts.of(DiskShares.existing(path))));
        }
      }
      findings.addAll(DiskShares.check(settings));
    } catch (IOException e) {
      findings.add(unreadable(e));
    }
    return findings;
  }

  static Finding unreadable(IOException cause) {
    return Finding.error(
        "the disks of the tiers cannot be looked at: " + Descriptors.ofThisProcess().explain(cause),
        "What cannot be read now fails at the start, too.",
        "check the disks of the paths");
  }

  /** Whether the path can be used. */
  private static boolean check(
      Setting<?> paths, Path path, TerraceSettings settings, List<Finding> findings)
      throws IOException {
    if (isMissing(path, settings)) {
      findings.add(absent(paths, path));
      return false;
    }
    try {
      CacheFolder.check(path);
      return true;
    } catch (CachePathException e) {
      boolean stops = e instanceof WrongPathException;
      findings.add(
          new Finding(
              stops ? Finding.Severity.ERROR : Finding.Severity.OUT,
              paths.key() + " cannot be used: " + e.problem(),
              "The tier's files lie there. They are as secret as the tables, and nobody else may"
                  + " change them."
                  + (stops ? "" : " The region server starts without the path."),
              e.remedy()));
      return false;
    }
  }

  /** Paths that are absent, and are not to be made. */
  static List<Finding> absences(TerraceSettings settings) {
    List<Finding> findings = new ArrayList<>();
    for (Path path : settings.pmem().paths()) {
      if (isMissing(path, settings)) {
        findings.add(absent(TerraceSettings.PMEM_PATHS, path));
      }
    }
    for (Path path : settings.ssd().paths()) {
      if (isMissing(path, settings)) {
        findings.add(absent(TerraceSettings.SSD_PATHS, path));
      }
    }
    return findings;
  }

  private static boolean isMissing(Path path, TerraceSettings settings) {
    return !settings.get(TerraceSettings.CREATE_PATHS)
        && Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static Finding absent(Setting<?> paths, Path path) {
    return Finding.error(
        paths.key() + " names " + path + ", which does not exist",
        "If its disk is not mounted, the tier would fill the disk below.",
        "mount its disk or make the directory; with "
            + TerraceSettings.CREATE_PATHS.key()
            + "=true it is made if its parent is there");
  }

  /** What the file system of a PMem path lacks. */
  static List<Finding> ofPmem(Path path, Mount mount) {
    List<Finding> findings = ofAny(path, mount);
    if (!mount.isDax() && !mount.isMemory()) {
      findings.add(
          Finding.warning(
              path + " is on " + mount.type() + " without DAX",
              "PMem is then an ordinary file: each hit is a copy, by a system call, and three write"
                  + " buffers take direct memory.",
              "mount with -o dax=always on a namespace in mode fsdax, or make it a path of the SSD"
                  + " tier"));
    }
    return findings;
  }

  /** What the file system of an SSD path lacks. */
  static List<Finding> ofSsd(Path path, Mount mount) {
    List<Finding> findings = ofAny(path, mount);
    if (mount.isMemory()) {
      findings.add(
          Finding.warning(
              path + " is on " + mount.type() + ", which is memory",
              "An SSD tier there takes memory, and copies each block that it returns.",
              "name a directory on a disk, or make it a path of the PMem tier"));
    }
    return findings;
  }

  private static List<Finding> ofAny(Path path, Mount mount) {
    List<Finding> findings = new ArrayList<>();
    if (mount.isNetwork()) {
      findings.add(
          Finding.warning(
              path + " is on " + mount.type() + ", which is no local file system",
              "A read over the network may be slower than HDFS, and locks may not hold.",
              "name a directory on a local disk"));
    }
    if (mount.isRoot()) {
      findings.add(
          Finding.warning(
              path + " is on the root file system",
              "Its disk may not be mounted. A tier there fills the disk of the system.",
              "mount the disk, and name a directory below its mount point"));
    }
    return findings;
  }
}
