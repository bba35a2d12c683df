/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region.folder;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps other processes, and other instances in this one, out of a folder. */
final class FolderLock implements AutoCloseable {

  /*
   * The operating system's lock belongs to the process, which loses it as soon as it closes any
   * descriptor of the file. So a second instance in a process must not even open the file. It finds
   * the file's device and inode in HELD.
   *
   * HELD does not reach over class loaders. A second instance in another one gets an error of the
   * JDK when it has opened the file already. Then the file must stay open as long as the process
   * lives: NEVER_CLOSED keeps it.
   *
   * Both are static because the lock is the process's.
   *
   * Other code in the process, such as an agent that reads all files, may still lose the lock. So
   * the lock file also names its holder. A process that gets the lock while the holder runs
   * releases it and fails.
   */
  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();
  private static final Queue<RandomAccessFile> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

  private static final int MAX_NOTE_BYTES = 256;

  private final Object key;
  private final RandomAccessFile open;
  private final FileLock lock;
  private final AtomicBoolean closed = new AtomicBoolean();

  private FolderLock(Object key, RandomAccessFile open, FileLock lock) {
    this.key = key;
    this.open = open;
    this.lock = lock;
  }

  /**
   * Locks a folder for writing, and notes the process's id in the lock file. Creates the file if it
   * is absent.
   *
   * @param path the configured path, for errors
   * @throws CachePathException if the folder is locked
   */
  static FolderLock exclusive(Path path, Path file) throws IOException {
    try {
      OwnedPaths.createFile(file);
    } catch (FileAlreadyExistsException e) {
      log().trace("{} is there already", file, e);
    }
    FolderLock lock = take(path, file, false);
    lock.note(LockHolder.here(lock.key).note());
    return lock;
  }

  /**
   * Locks a folder for reading. Several processes may do so.
   *
   * @throws CachePathException if the folder is locked exclusively, or by this process
   */
  static FolderLock shared(Path path, Path file) throws IOException {
    return take(path, file, true);
  }

  /** The process that holds the lock of a file that this process does not hold. */
  static OptionalLong holder(Path file) throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      return LockHolder.parse(note(open))
          .filter(holder -> holder.isRunningElsewhere(key))
          .map(holder -> OptionalLong.of(holder.pid()))
          .orElse(OptionalLong.empty());
    }
  }

  private static FolderLock take(Path path, Path file, boolean shared) throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    synchronized (HELD) {
      if (!HELD.add(key)) {
        throw inUseHere(path);
      }
    }
    FolderLock taken = null;
    try {
      taken = take(path, file, shared, key);
      return taken;
    } finally {
      if (taken == null) {
        HELD.remove(key);
      }
    }
  }

  private static FolderLock take(Path path, Path file, boolean shared, Object key)
      throws IOException {
    RandomAccessFile open = new RandomAccessFile(file.toFile(), shared ? "r" : "rw");
    FileLock lock = null;
    boolean closes = true;
    try {
      lock = open.getChannel().tryLock(0, Long.MAX_VALUE, shared);
      Optional<LockHolder> holder = LockHolder.parse(note(open));
      if (lock == null || holder.filter(h -> h.isRunningElsewhere(key)).isPresent()) {
        throw inUse(
            path,
            "another process ("
                + holder.map(h -> "pid=" + h.pid()).orElse("which only reads it")
                + ")");
      }
      closes = false;
      return new FolderLock(key, open, lock);
    } catch (OverlappingFileLockException e) {
      closes = false;
      NEVER_CLOSED.add(open);
      throw inUseHere(path);
    } catch (CachePathException e) {
      throw e;
    } catch (IOException e) {
      throw new CachePathException(
          path,
          "cannot be locked (" + e.getMessage() + ")",
          "use a local file system that knows file locks",
          e);
    } finally {
      if (closes) {
        open.close();
      }
    }
  }

  /** Releases the lock. May be called twice. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      if (!lock.isShared()) {
        open.setLength(0);
      }
    } catch (IOException e) {
      log().warn("a lock file still names its holder", e);
    } finally {
      release();
    }
  }

  /**
   * Another instance that locked the file in between would lose its lock by this close. And once it
   * is closed, a new file may have its inode, if it was deleted.
   */
  private void release() {
    synchronized (HELD) {
      try {
        open.close();
      } catch (IOException e) {
        log().warn("a lock file was not closed well", e);
      } finally {
        HELD.remove(key);
      }
    }
  }

  /** Notes the holder. The lock holds without the note, even on a full disk. */
  private void note(String text) {
    try {
      open.setLength(0);
      open.write((text + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      log().debug("the lock file does not tell {}", text, e);
    }
  }

  private static String note(RandomAccessFile open) throws IOException {
    byte[] bytes = new byte[MAX_NOTE_BYTES];
    int length = Math.max(0, open.read(bytes));
    open.seek(0);
    return new String(bytes, 0, length, StandardCharsets.US_ASCII);
  }

  private static CachePathException inUseHere(Path path) {
    return inUse(path, "this process (pid=" + ProcessHandle.current().pid() + ")");
  }

  private static CachePathException inUse(Path path, String by) {
    return new CachePathException(
        path, "is in use by " + by, "stop that one first, or give each its own path");
  }

  /** Not a constant: commands that only read a cache run without SLF4J. */
  private static Logger log() {
    return LoggerFactory.getLogger(FolderLock.class);
  }
}
