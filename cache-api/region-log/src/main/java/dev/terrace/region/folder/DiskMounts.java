// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where the disk of a path is mounted in this process's mount namespace. A unit of systemd or a pod
 * may have mounts of its own, which keep a disk busy that is unmounted elsewhere.
 *
 * @param device its numbers, such as {@code 259:1}
 * @param points the innermost first
 */
public record DiskMounts(String device, List<Path> points) {

  private static final Path LIST = Path.of("/proc/self/mountinfo");

  /** {@code ID PARENT DEVICE ROOT POINT OPTIONS ...}. */
  private static final Pattern LINE = Pattern.compile("\\d+ \\d+ (\\S+) \\S+ (\\S+) .*");

  /** How the kernel writes a space, for one. */
  private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

  /** Asks the kernel, not the disk, which may hang. So links in the path are not followed. */
  public static DiskMounts of(Path path) {
    List<String> list;
    try {
      list = Files.readAllLines(LIST);
    } catch (IOException e) {
      list = List.of();
    }
    return of(path.toAbsolutePath().normalize(), list);
  }

  static DiskMounts of(Path path, List<String> list) {
    List<MatchResult> mounts = list.stream().flatMap(line -> LINE.matcher(line).results()).toList();
    String device =
        mounts.stream()
            .filter(mount -> path.startsWith(point(mount)))
            // Of several at one point, the last covers the others.
            .reduce((a, b) -> point(a).getNameCount() > point(b).getNameCount() ? a : b)
            .map(mount -> mount.group(1))
            .orElse("");
    return new DiskMounts(
        device,
        mounts.stream()
            .filter(mount -> mount.group(1).equals(device))
            .map(DiskMounts::point)
            .distinct()
            .sorted(Comparator.comparing(Path::getNameCount).reversed())
            .toList());
  }

  private static Path point(MatchResult mount) {
    return Path.of(
        ESCAPED
            .matcher(mount.group(2))
            .replaceAll(octal -> "" + (char) Integer.parseInt(octal.group(1), 8)));
  }

  /** What root does to have the disk alone, once this process has nothing open on it. */
  public String howToFree() {
    if (points.isEmpty() || points.contains(Path.of("/"))) {
      return "it is the disk of the root file system, which stays mounted";
    }
    int last = points.size() - 1;
    String inner =
        points.subList(0, last).stream().map(point -> " " + point).collect(Collectors.joining());
    long pid = ProcessHandle.current().pid();
    return (last == 0 ? "" : "nsenter -m -t " + pid + " umount" + inner + "; ")
        + "umount %s; its disk is then free unless another mount namespace, such as a pod's, has it:"
            .formatted(points.get(last))
        + " grep -l ' %s ' /proc/[0-9]*/mountinfo".formatted(device);
  }
}
