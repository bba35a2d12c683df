// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import com.sun.jna.LastErrorException;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.LibC;
import dev.terrace.region.device.UninterruptibleFile;
import dev.terrace.region.folder.CacheFolder.CacheSpec;
import dev.terrace.region.format.Superblock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A read-only device over a stopped cache, or a copy of one. The folder may belong to any user, and
 * is not changed. If it has a lock file, no cache can start on it until this is closed.
 */
public final class ReadOnlyDevice implements Device.WithSuperblock {

  private final Path path;
  private final Path folder;
  private final Superblock.Reading found;
  private final long regionsFileBytes;
  private final UninterruptibleFile regions;
  private final Optional<PathLock> lock;

  /**
   * Opens the folder of a stopped cache, or a copy of one, for reading. Changes nothing.
   *
   * @param path a configured path, or the folder below it
   * @throws UnreadableCacheException if it is a cache that is too damaged to be read, or in the
   *     format of another version
   * @throws UnusablePathException if it is in use, or not a cache
   */
  public static ReadOnlyDevice open(Path path) throws IOException {
    return new ReadOnlyDevice(path);
  }

  private ReadOnlyDevice(Path path) throws IOException {
    Path below = path.resolve(CacheFolder.NAME);
    this.path = path;
    this.folder = Files.isDirectory(below) ? below : path;
    Path lockFile = CacheFolder.lockFile(folder);
    Path regionsFile = CacheFolder.regionsFile(folder);
    checkAccess(path, folder);
    this.lock =
        OwnedPaths.isAbsent(lockFile)
            ? Optional.empty()
            : Optional.of(PathLock.shared(path, lockFile));
    boolean opened = false;
    try {
      this.found = SuperblockFile.readToLook(folder);
      if (found.isAbsent()) {
        throw new UnusablePathException(
            path, "has no cache", found.fault() + "; give the path of a cache");
      }
      if (found.superblock().isEmpty()) {
        throw new UnreadableCacheException(path, found.fault(), found.otherVersion() != 0);
      }
      if (OwnedPaths.isAbsent(regionsFile)
          || !OwnedPaths.attributes(regionsFile, LinkOption.NOFOLLOW_LINKS).isRegularFile()) {
        throw new UnreadableCacheException(path, "its regions file is missing", false);
      }
      this.regionsFileBytes = Files.size(regionsFile);
      this.regions = UninterruptibleFile.open(regionsFile, Set.of(StandardOpenOption.READ));
      opened = true;
    } finally {
      if (!opened) {
        lock.ifPresent(PathLock::close);
      }
    }
  }

  /** The id of the process that has a path open; empty if there is none, or it is unknown. */
  public static OptionalLong holder(Path path) {
    Path lockFile = CacheFolder.lockFile(path.resolve(CacheFolder.NAME));
    LibC libC = LibC.load().orElse(null);
    if (libC == null || !Files.isReadable(lockFile)) {
      return OptionalLong.empty();
    }
    try {
      int descriptor = libC.open(lockFile.toString(), LibC.O_RDONLY | LibC.O_CLOEXEC);
      try {
        return libC.isLocked(descriptor) ? PathLock.pid(lockFile) : OptionalLong.empty();
      } finally {
        libC.close(descriptor);
      }
    } catch (LastErrorException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Why {@link CacheFolder#open} would discard the contents of a folder; empty if it would keep
   * them, or there are none. Takes no lock, and does not check whether the data key can be
   * unwrapped.
   *
   * @throws IOException if the folder cannot be read now
   */
  public static Optional<String> whyDiscarded(CacheSpec spec) throws IOException {
    FolderPlan plan =
        CacheFolder.plan(spec, spec.path().resolve(CacheFolder.NAME), Optional.empty(), 0);
    return plan.isEmpty() ? plan.note() : Optional.empty();
  }

  /** Checks access first, because a file that may not be read looks absent. */
  private static void checkAccess(Path path, Path folder) throws UnusablePathException {
    boolean isKnown = Files.exists(folder) || Files.notExists(folder);
    if (isKnown && !Files.isDirectory(folder)) {
      throw new UnusablePathException(path, "is not a directory", "give the path of a cache");
    }
    boolean allowed = isKnown && Files.isExecutable(folder);
    for (Path file : List.of(CacheFolder.lockFile(folder), CacheFolder.regionsFile(folder))) {
      allowed &= !Files.exists(file) || Files.isReadable(file);
    }
    if (!allowed) {
      throw new UnusablePathException(
          path,
          "cannot be read: permission denied",
          "run this as the user that the cache belongs to, or as root");
    }
  }

  @Override
  public String path() {
    return path.toString();
  }

  /** Describes the cache. Its generation counts how often a cache opened the contents. */
  @Override
  public Superblock superblock() {
    return found.superblock().orElseThrow();
  }

  /** Why only one of the superblock's two copies can be used; empty if both can. */
  public Optional<String> superblockFault() {
    return Optional.of(found.fault()).filter(fault -> !fault.isEmpty());
  }

  /** The size of the regions file: less than that of all regions if the file was truncated. */
  public long regionsFileBytes() {
    return regionsFileBytes;
  }

  @Override
  public ByteBuffer evictions(int place) throws IOException {
    return CacheFolder.evictions(folder, place);
  }

  @Override
  public void read(int region, int position, ByteBuffer target) throws IOException {
    regions.read(superblock().geometry().offset(region, position, target.remaining()), target);
  }

  @Override
  public void close() {
    try {
      regions.close();
    } catch (IOException e) {
      throw new UncheckedIOException("path=" + path + " cannot be closed", e);
    } finally {
      lock.ifPresent(PathLock::close);
    }
  }

  /** A cache folder that is too damaged to be read, or in the format of another version. */
  public static final class UnreadableCacheException extends UnusablePathException {

    private static final long serialVersionUID = 1L;

    private final boolean otherFormat;

    UnreadableCacheException(Path path, String fault, boolean otherFormat) {
      super(path, "cannot be read", fault);
      this.otherFormat = otherFormat;
    }

    /** Whether another version of Terrace can read it. */
    public boolean isOfOtherFormat() {
      return otherFormat;
    }
  }
}
