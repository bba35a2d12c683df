// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A mounted file system.
 *
 * @param type such as {@code ext4}
 * @param source such as {@code /dev/nvme0n1}
 * @param isRoot whether it is the file system of the operating system
 * @param isDax whether files on it may be mapped with DAX
 */
public record Mount(String type, String source, boolean isRoot, boolean isDax) {

  /** {@code SOURCE POINT TYPE OPTIONS 0 0}. */
  private static final Path LIST = Path.of("/proc/self/mounts");

  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
  private static final Set<String> DAX = Set.of("dax", "dax=always", "dax=inode");
  private static final Pattern NETWORK =
      Pattern.compile("(nfs|cifs|smb|9p|virtiofs|ceph|lustre|gpfs|beegfs|glusterfs|fuse|afs).*");

  /** The file system of an existing path. */
  public static Mount of(Path path) throws IOException {
    FileStore store = Files.getFileStore(path);
    boolean isRoot = store.equals(Files.getFileStore(Path.of("/")));
    List<String> list = Files.isReadable(LIST) ? Files.readAllLines(LIST) : List.of();
    return new Mount(store.type(), store.name(), isRoot, isDax(store.name(), list));
  }

  /** DAX is an option of the file system, wherever it is mounted. */
  static boolean isDax(String source, List<String> mounts) {
    return mounts.stream()
        .map(line -> line.split(" ", -1))
        .filter(fields -> fields.length > 3 && fields[0].equals(source))
        .flatMap(fields -> Stream.of(fields[3].split(",", -1)))
        .anyMatch(DAX::contains);
  }

  /** Whether its files are in memory. */
  public boolean isMemory() {
    return MEMORY.contains(type);
  }

  /** Whether its files are on another machine, or served by a process. */
  boolean isNetwork() {
    return NETWORK.matcher(type).matches();
  }
}
