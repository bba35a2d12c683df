// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A mounted file system.
 *
 * @param type such as {@code ext4}
 * @param source such as {@code /dev/nvme0n1}
 * @param isRoot whether it is the file system of the operating system
 */
public record Mount(String type, String source, boolean isRoot) {

  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
  private static final Pattern NETWORK =
      Pattern.compile("(nfs|cifs|smb|9p|virtiofs|ceph|lustre|gpfs|beegfs|glusterfs|fuse|afs).*");

  /** The file system of an existing path. */
  public static Mount of(Path path) throws IOException {
    FileStore store = Files.getFileStore(path);
    boolean isRoot = store.equals(Files.getFileStore(Path.of("/")));
    return new Mount(store.type(), store.name(), isRoot);
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
