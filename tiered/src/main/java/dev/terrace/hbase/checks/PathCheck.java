// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.checks.Mounts.Mount;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.TerraceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks the directories of PMem and SSD: there, owned, on the right kind of file system. */
final class PathCheck implements Check {

  @Override
  public List<Finding> of(Start start) {
    TerraceSettings settings = start.settings();
    UsablePaths paths = start.paths();
    List<Finding> findings = new ArrayList<>(paths.faults());
    try {
      Mounts mounts = Mounts.ofThisSystem();
      for (Path path : settings.pmem().paths()) {
        if (paths.has(path)) {
          findings.addAll(ofPmem(path, mounts.of(DiskShares.existing(path))));
        }
      }
      for (Path path : settings.ssd().paths()) {
        if (paths.has(path)) {
          findings.addAll(ofSsd(path, mounts.of(DiskShares.existing(path))));
        }
      }
      findings.addAll(DiskShares.check(settings, paths));
    } catch (IOException e) {
      findings.add(UsablePaths.unreadable(e));
    }
    return findings;
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
