// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import com.sun.jna.LastErrorException;
import dev.terrace.region.device.LibC;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is open and locked: no other instance, in this process or another, can lock it, by
 * whatever name it finds it. Thread-safe.
 *
 * <p>The lock belongs to the file, not to its name. So it also holds after the name was deleted or
 * leads to another file, and against a second name.
 */
final class LockedFile implements AutoCloseable {

  /*
   * A lock of POSIX, which is all that the JDK has, belongs to the process, and is lost as soon as
   * the process closes any descriptor of the file. The regions file is opened and closed when it is
   * mapped or gets space, and other code, such as an agent that reads all files, may do so any time.
   * A lock of POSIX does not keep a second instance in the process out, either. A lock of an open
   * file description (F_OFD_SETLK) has neither fault, but needs JNA. The two kinds conflict with each
   * other, in whichever process.
   *
   * Without JNA a second instance in the process must not even open the file. It finds the file's
   * device and inode in HELD. HELD does not reach over class loaders: a second instance in another
   * one gets an error of the JDK when it has opened the file already. Then the file must stay open as
   * long as the process lives: NEVER_CLOSED keeps it. So must a description that finds a lock of
   * POSIX of this process. Both are static because the lock is the process's.
   */
  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();
  private static final Queue<RandomAccessFile> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private final Path name;
  private final Object key;
  private final RandomAccessFile open;
  private final Runnable unlock;
  private final AtomicBoolean closed = new AtomicBoolean();

  private LockedFile(Path name, Object key, RandomAccessFile open, Runnable unlock) {
    this.name = name;
    this.key = key;
    this.open = open;
    this.unlock = unlock;
  }

  /**
   * Opens and locks a file that exists.
   *
   * @param path the configured path, for errors
   * @param libC the C library, if it can be reached
   * @return empty if another instance has it locked
   * @throws CachePathException if this process has it locked, or it cannot be locked
   */
  static Optional<LockedFile> exclusive(Path path, Path file, Optional<LibC> libC)
      throws IOException {
    try {
      if (libC.isPresent() && Files.isExecutable(DESCRIPTORS)) {
        return ofDescription(path, file, libC.get());
      }
    } catch (LastErrorException e) {
      if (e.getErrorCode() != LibC.EINVAL) {
        throw notLocked(path, e);
      }
      log().debug("{}: no locks of open file descriptions", file, e);
    }
    return ofProcess(path, file, false);
  }

  /**
   * Opens and locks a file for reading. Several processes may do so.
   *
   * @return empty if another process has it locked exclusively
   * @throws CachePathException if this process has it locked, or it cannot be locked
   */
  static Optional<LockedFile> shared(Path path, Path file) throws IOException {
    return ofProcess(path, file, true);
  }

  /**
   * Whether this process has a file locked by a lock of POSIX, which it would lose if it opened and
   * closed the file. Opens nothing.
   */
  static boolean isHeldHere(Path file) throws IOException {
    try {
      return HELD.contains(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Whether the file system grants a second lock of a file that this process has locked: then its
   * locks keep nobody out.
   */
  static boolean isGrantedTwice(Path file, LibC libC) {
    try {
      int descriptor = libC.open(file.toString(), LibC.O_RDWR | LibC.O_CLOEXEC);
      try {
        return libC.lockDescription(descriptor) == 0;
      } finally {
        libC.close(descriptor);
      }
    } catch (LastErrorException e) {
      return false;
    }
  }

  private static Optional<LockedFile> ofDescription(Path path, Path file, LibC libC)
      throws IOException {
    int descriptor = libC.open(file.toString(), LibC.O_RDWR | LibC.O_CLOEXEC);
    boolean closes = true;
    try {
      int error = libC.lockDescription(descriptor);
      if (error == LibC.EAGAIN || error == LibC.EACCES) {
        closes = libC.lockingProcess(descriptor) != ProcessHandle.current().pid();
        if (closes) {
          return Optional.empty();
        }
        throw inUseHere(path);
      }
      if (error != 0) {
        throw new LastErrorException(error);
      }
      Path opened = DESCRIPTORS.resolve(Integer.toString(descriptor));
      Object key = Files.readAttributes(opened, BasicFileAttributes.class).fileKey();
      RandomAccessFile open = new RandomAccessFile(opened.toFile(), "rw");
      closes = false;
      return Optional.of(new LockedFile(file, key, open, () -> libC.close(descriptor)));
    } finally {
      if (closes) {
        libC.close(descriptor);
      }
    }
  }

  private static Optional<LockedFile> ofProcess(Path path, Path file, boolean shared)
      throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    synchronized (HELD) {
      if (!HELD.add(key)) {
        throw inUseHere(path);
      }
    }
    Optional<LockedFile> locked = Optional.empty();
    try {
      locked = ofProcess(path, file, shared, key);
      return locked;
    } finally {
      if (locked.isEmpty()) {
        HELD.remove(key);
      }
    }
  }

  private static Optional<LockedFile> ofProcess(Path path, Path file, boolean shared, Object key)
      throws IOException {
    RandomAccessFile open = new RandomAccessFile(file.toFile(), shared ? "r" : "rw");
    boolean closes = true;
    try {
      FileLock lock = open.getChannel().tryLock(0, Long.MAX_VALUE, shared);
      closes = lock == null;
      return Optional.ofNullable(lock)
          .map(taken -> new LockedFile(file, key, open, () -> HELD.remove(key)));
    } catch (OverlappingFileLockException e) {
      closes = false;
      NEVER_CLOSED.add(open);
      throw inUseHere(path);
    } catch (IOException e) {
      throw notLocked(path, e);
    } finally {
      if (closes) {
        open.close();
      }
    }
  }

  /** The name under which the file was opened. */
  Path name() {
    return name;
  }

  /** The file's device and inode. */
  Object key() {
    return key;
  }

  /** The file, until this is closed. Not for its channel, which an interrupt closes. */
  RandomAccessFile open() {
    return open;
  }

  /**
   * What became of the file's name; empty if it leads to this file still.
   *
   * @throws IOException if nobody can tell
   */
  Optional<String> strayed() throws IOException {
    try {
      BasicFileAttributes found =
          Files.readAttributes(name, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return key.equals(found.fileKey())
          ? Optional.empty()
          : Optional.of("its file " + name.getFileName() + " is another one now");
    } catch (NoSuchFileException e) {
      return Optional.of(
          Files.notExists(name.getParent())
              ? "its folder is gone: deleted, moved, or covered by a mount"
              : "its file " + name.getFileName() + " is gone");
    }
  }

  /**
   * Closes and unlocks the file. May be called twice.
   *
   * <p>Another instance that locked the file in between would lose its lock of POSIX by this close.
   * And once it is closed, a new file may have its inode, if it was deleted.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    synchronized (HELD) {
      try {
        open.close();
      } catch (IOException e) {
        log().warn("{} was not closed well: {}", name, e.toString());
      } finally {
        unlock.run();
      }
    }
  }

  /** The error for a path that this process has open. */
  static CachePathException inUseHere(Path path) {
    return inUse(path, "this process (pid=" + ProcessHandle.current().pid() + ")");
  }

  /** The error for a path that somebody has open. */
  static CachePathException inUse(Path path, String by) {
    return new WrongPathException(
        path, "is in use by " + by, "stop that one first, or give each its own path");
  }

  private static CachePathException notLocked(Path path, Exception cause) {
    return new CachePathException(
        path,
        "cannot be locked (" + cause.getMessage() + ")",
        "use a local file system that knows file locks",
        cause);
  }

  /** Not a constant: commands that only read a cache run without SLF4J. */
  private static Logger log() {
    return LoggerFactory.getLogger(LockedFile.class);
  }
}
