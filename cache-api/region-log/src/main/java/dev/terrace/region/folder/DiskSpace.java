// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.device.LibC;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/**
 * The space of a path's file system, and what a cache in the path takes of it.
 *
 * @param device the number of the file system; a bind mount has the same one
 * @param store the file system
 * @param totalBytes its size; 0 if it has no limit or does not report it
 * @param usableBytes what this process's user may still take
 * @param regionsBytes the size of the path's regions; 0 if there are none
 * @param takenBytes what the regions take on the disk: a file may be sparse
 */
public record DiskSpace(
    Object device,
    FileStore store,
    long totalBytes,
    long usableBytes,
    long regionsBytes,
    long takenBytes) {

  /** The space of a path. It may be absent if its parent is there. */
  public static DiskSpace of(Path path) throws IOException {
    Path there = CacheFolder.regionsFileOrDirectory(path);
    FileStore store = Files.getFileStore(there);
    long totalBytes = store.getTotalSpace();
    long regionsBytes = CacheFolder.regionsFileBytes(path);
    Optional<Long> allocated =
        regionsBytes == 0
            ? Optional.of(0L)
            : LibC.load().flatMap(system -> system.allocatedBytes(there.toString()));
    // The file takes at most all the used space of the file system.
    long usedBytes = Math.max(0, totalBytes - store.getUnallocatedSpace());
    return new DiskSpace(
        Files.getAttribute(there, "unix:dev"),
        store,
        totalBytes,
        store.getUsableSpace(),
        regionsBytes,
        Math.min(regionsBytes, allocated.orElse(usedBytes)));
  }

  /** Whether the file system reports a size that can be true. */
  public boolean isKnown() {
    return totalBytes > 0 && usableBytes >= 0 && usableBytes <= totalBytes;
  }

  /** What the paths on this file system may take of it together, with what they have there. */
  public long bytesFor(Collection<DiskSpace> paths) {
    return usableBytes
        + paths.stream()
            .filter(path -> path.device.equals(device))
            .mapToLong(DiskSpace::takenBytes)
            .sum();
  }
}
