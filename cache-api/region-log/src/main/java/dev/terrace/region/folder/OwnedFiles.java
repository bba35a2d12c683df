// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.device.LibC;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.LoggerFactory;

/**
 * The files of a folder that is open, each of them locked. Two instances need the same superblock
 * and the same regions, so the second one fails, even if the lock file was deleted or replaced.
 *
 * <p>For one thread at a time, but {@link #strayed} and {@link #close}.
 */
final class OwnedFiles implements AutoCloseable {

  /** File systems that servers on several hosts may share. */
  private static final Set<String> SHARED =
      Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "lustre", "gfs2", "ocfs2", "afs");

  private final Path path;
  private final Optional<LibC> libC;
  private final FolderLock lock;

  /** Replaced when a file is added, because another thread may look through it. */
  private volatile List<LockedFile> files;

  private OwnedFiles(Path path, Optional<LibC> libC, FolderLock lock) {
    this.path = path;
    this.libC = libC;
    this.lock = lock;
    this.files = List.of(lock.file());
  }

  /**
   * Locks a folder, of whose files none is locked yet.
   *
   * @param path the path as it was configured
   * @param libC the C library, if it can be reached
   * @throws CachePathException if the folder is in use
   */
  static OwnedFiles of(Path path, Path lockFile, Optional<LibC> libC) throws IOException {
    return new OwnedFiles(path, libC, FolderLock.exclusive(path, lockFile, libC));
  }

  /** The path as it was configured. */
  Path path() {
    return path;
  }

  /** Warns if the file system does not keep others out. */
  void warnOfWeakLocks(Path lockFile) throws IOException {
    boolean holds = libC.isEmpty() || !LockedFile.isGrantedTwice(lockFile, libC.get());
    weakness(Files.getFileStore(lockFile).type(), holds)
        .ifPresent(why -> LoggerFactory.getLogger(OwnedFiles.class).warn("{}: {}", path, why));
  }

  /** What to say of a file system whose locks may keep nobody out. */
  static Optional<String> weakness(String type, boolean holds) {
    if (!holds) {
      return Optional.of(
          "locks do not hold on its file system ("
              + type
              + "), so a second server on the path is found only when it has opened it: use a local"
              + " file system");
    }
    return SHARED.contains(type) || type.startsWith("fuse.")
        ? Optional.of(
            "its locks may not keep out servers on other hosts, because it is on "
                + type
                + ": use a local file system")
        : Optional.empty();
  }

  /**
   * Opens and locks a file that exists.
   *
   * @throws CachePathException if another instance has it open
   */
  LockedFile lock(Path file) throws IOException {
    LockedFile locked = unused(file);
    List<LockedFile> all = new ArrayList<>(files);
    all.add(locked);
    files = List.copyOf(all);
    return locked;
  }

  private LockedFile unused(Path file) throws IOException {
    return LockedFile.exclusive(path, file, libC)
        .orElseThrow(
            () ->
                LockedFile.inUse(
                    path,
                    "another server, which has "
                        + file
                        + " open though its lock file was deleted or replaced (fuser names it)"));
  }

  /**
   * Deletes those of some files that exist.
   *
   * @throws CachePathException if another instance has one of them open; then all stay
   */
  void delete(List<Path> unwanted) throws IOException {
    List<LockedFile> locked = new ArrayList<>();
    try {
      for (Path file : unwanted) {
        if (Files.exists(file)) {
          locked.add(unused(file));
        }
      }
      for (Path file : unwanted) {
        Files.deleteIfExists(file);
      }
    } finally {
      locked.forEach(LockedFile::close);
    }
  }

  /**
   * Why the folder is not this instance's any more; empty if the names of all files lead to those
   * that were opened.
   *
   * @throws IOException if nobody can tell
   */
  Optional<String> strayed() throws IOException {
    for (LockedFile file : files) {
      Optional<String> why = file.strayed();
      if (why.isPresent()) {
        return why;
      }
    }
    return Optional.empty();
  }

  /** Releases all files, the lock at last. May be called twice. */
  @Override
  public void close() {
    files.stream().filter(file -> file != lock.file()).forEach(LockedFile::close);
    lock.close();
  }
}
