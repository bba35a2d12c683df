// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The mounted file systems, as Linux lists them in {@code /proc/self/mountinfo}. */
public final class Mounts {

  private static final Path LIST = Path.of("/proc/self/mountinfo");

  /** {@code id parent major:minor root POINT OPTIONS [tags] - TYPE SOURCE OPTIONS}. */
  private static final Pattern LINE =
      Pattern.compile("\\S+ \\S+ \\S+ \\S+ (\\S+) (\\S+) (?:.* )?- (\\S+) (\\S*) (\\S*)");

  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  private final List<Mount> mounts = new ArrayList<>();

  private Mounts() {}

  /** The mounted file systems; none where the system has no such list. */
  public static Mounts ofThisSystem() throws IOException {
    return of(Files.isReadable(LIST) ? Files.readAllLines(LIST) : List.of());
  }

  /** Parses such a list. */
  static Mounts of(List<String> lines) {
    Mounts all = new Mounts();
    for (String line : lines) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        String options = matcher.group(2) + "," + matcher.group(5);
        all.mounts.add(
            new Mount(
                Path.of(unescaped(matcher.group(1))),
                matcher.group(3),
                unescaped(matcher.group(4)),
                new HashSet<>(List.of(options.split(",", -1)))));
      }
    }
    return all;
  }

  /** The file system of a path; if the list lacks it, as the JDK describes it. */
  public Mount of(Path path) throws IOException {
    Path real = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
    Mount best = null;
    for (Mount mount : mounts) {
      // If several are mounted at one point, the last one is visible.
      if (real.startsWith(mount.point())
          && (best == null || mount.point().getNameCount() >= best.point().getNameCount())) {
        best = mount;
      }
    }
    return best == null ? fromJdk(real) : best;
  }

  private static Mount fromJdk(Path path) throws IOException {
    FileStore store = Files.getFileStore(path);
    return new Mount(path, store.type(), store.name(), Set.of());
  }

  private static String unescaped(String text) {
    return OCTAL
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(Character.toString(Integer.parseInt(match.group(1), 8))));
  }

  /**
   * A mounted file system.
   *
   * @param point where it is mounted
   * @param type such as {@code ext4}
   * @param source such as {@code /dev/nvme0n1}
   * @param options such as {@code rw}
   */
  public record Mount(Path point, String type, String source, Set<String> options) {

    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
    private static final Set<String> DAX = Set.of("dax", "dax=always", "dax=inode");
    private static final List<String> NETWORK =
        List.of(
            "nfs",
            "cifs",
            "smb",
            "9p",
            "virtiofs",
            "ceph",
            "lustre",
            "gpfs",
            "beegfs",
            "glusterfs",
            "fuse",
            "afs");

    /** Whether files on it may be mapped with DAX. */
    public boolean isDax() {
      return options.stream().anyMatch(DAX::contains);
    }

    /** Whether its files are in memory. */
    public boolean isMemory() {
      return MEMORY.contains(type);
    }

    /** Whether its files are on another machine, or served by a process. */
    boolean isNetwork() {
      return NETWORK.stream().anyMatch(type::startsWith);
    }

    /** Whether it is the file system of the operating system. */
    boolean isRoot() {
      return point.getNameCount() == 0;
    }
  }
}
