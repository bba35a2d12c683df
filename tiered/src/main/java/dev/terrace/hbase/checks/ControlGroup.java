// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.checks.Mounts.Mount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A control group of Linux with a limit of memory: of version 1 or 2.
 *
 * @param folder where the kernel shows it
 * @param name as in {@code /proc/self/cgroup}
 * @param limitBytes what its processes, and their files on a tmpfs, may take together
 */
record ControlGroup(Path folder, String name, long limitBytes) {

  private static final Path PROC = Path.of("/proc");

  /** Limits from here on are none. Version 1 writes the largest multiple of a page for none. */
  private static final long NO_LIMIT = 1L << 60;

  /** The file of the limit, by the type of the file system that shows the groups. */
  private static final Map<String, String> LIMITS =
      Map.of("cgroup", "memory.limit_in_bytes", "cgroup2", "memory.max");

  /**
   * The group that binds a process: of its own one and those above, the one with the least limit.
   *
   * @param system the root of the file system
   * @param process its number, or {@code self}
   */
  static Optional<ControlGroup> of(Path system, String process) {
    Path proc = below(system, PROC);
    ControlGroup least = null;
    try {
      List<String> groups = Files.readAllLines(proc.resolve(process).resolve("cgroup"));
      List<String> mounts = Files.readAllLines(proc.resolve("self/mountinfo"));
      for (Mount mount : Mounts.of(mounts).all()) {
        if (!LIMITS.containsKey(mount.type())) {
          continue;
        }
        for (String line : groups) {
          // number:controllers:group; version 2 has the number 0, and no controllers.
          String[] parts = line.split(":", 3);
          boolean isHere =
              mount.type().equals("cgroup2")
                  ? parts[0].equals("0")
                  : Arrays.asList(parts[1].split(",", -1)).contains("memory")
                      && mount.options().contains("memory");
          if (isHere) {
            least = lesser(least, leastOf(system, mount, parts[2]));
          }
        }
      }
    } catch (IOException | ArrayIndexOutOfBoundsException e) {
      // No Linux, or one without control groups.
      return Optional.empty();
    }
    return Optional.ofNullable(least);
  }

  private static ControlGroup leastOf(Path system, Mount mount, String group) {
    Path top = below(system, mount.point());
    Path wanted = Path.of(group).normalize();
    // A container may see its own group alone, at the mount point.
    Path folder =
        wanted.startsWith(mount.root()) ? top.resolve(mount.root().relativize(wanted)) : top;
    ControlGroup least = null;
    for (Path at = folder; at != null && at.startsWith(top); at = at.getParent()) {
      OptionalLong limit = number(at.resolve(LIMITS.get(mount.type())));
      if (limit.isPresent() && limit.getAsLong() < NO_LIMIT) {
        String name = mount.root().resolve(top.relativize(at)).toString();
        least = lesser(least, new ControlGroup(at, name, limit.getAsLong()));
      }
    }
    return least;
  }

  private static ControlGroup lesser(ControlGroup one, ControlGroup other) {
    return one == null || (other != null && other.limitBytes < one.limitBytes) ? other : one;
  }

  private static Path below(Path system, Path absolute) {
    return system.resolve(Path.of("/").relativize(absolute));
  }

  /** Empty if the file is absent, or has a word, such as {@code max}. */
  private static OptionalLong number(Path file) {
    try {
      return OptionalLong.of(Long.parseLong(Files.readString(file).strip()));
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Shared memory that is charged to the group: files on a tmpfs, which stay when a process dies,
   * and what processes have mapped. Empty if the kernel does not tell.
   */
  OptionalLong sharedBytes() {
    Path file = folder.resolve("memory.stat");
    // Version 1 has the sum over the groups below under a name of its own.
    long bytes = Math.max(value(file, "total_shmem"), value(file, "shmem"));
    return bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
  }

  /** What of that the group's processes have mapped, as far as it can be told. */
  long mappedBytes() {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.endsWith("cgroup.procs")).toList()) {
        for (String process : Files.readAllLines(file)) {
          bytes += Math.max(0, value(PROC.resolve(process).resolve("status"), "RssShmem:")) * 1024;
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // A group below that ended meanwhile.
    }
    return bytes;
  }

  /** The number after a name in a file; -1 if there is none. */
  static long value(Path file, String name) {
    try {
      for (String line : Files.readAllLines(file)) {
        String[] words = line.split("\\s+", -1);
        if (words[0].equals(name)) {
          return Long.parseLong(words[1]);
        }
      }
    } catch (IOException | NumberFormatException e) {
      // Not told.
    }
    return -1;
  }
}
