// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.device.LibC;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps other processes, and other instances in this one, out of a folder. */
final class FolderLock implements AutoCloseable {

  /*
   * Other code in the process, such as an agent that reads all files, may lose a lock of POSIX. So the
   * lock file also names its holder. A process that gets the lock while the holder runs releases it
   * and fails.
   */

  private static final int MAX_NOTE_BYTES = 256;

  private final LockedFile file;
  private final boolean shared;
  private final AtomicBoolean closed = new AtomicBoolean();

  private FolderLock(LockedFile file, boolean shared) {
    this.file = file;
    this.shared = shared;
  }

  /**
   * Locks a folder for writing, and notes the process's id in the lock file. Creates the file if it
   * is absent.
   *
   * @param path the configured path, for errors
   * @param libC the C library, if it can be reached
   * @throws CachePathException if the folder is locked
   */
  static FolderLock exclusive(Path path, Path file, Optional<LibC> libC) throws IOException {
    try {
      OwnedPaths.createFile(file);
    } catch (FileAlreadyExistsException e) {
      log().trace("{} is there already", file, e);
    }
    FolderLock lock =
        new FolderLock(checked(path, file, LockedFile.exclusive(path, file, libC)), false);
    lock.note(Holder.here(lock.file.key()).note());
    return lock;
  }

  /**
   * Locks a folder for reading. Several processes may do so.
   *
   * @throws CachePathException if the folder is locked exclusively, or by this process
   */
  static FolderLock shared(Path path, Path file) throws IOException {
    return new FolderLock(checked(path, file, LockedFile.shared(path, file)), true);
  }

  /** The process that holds the lock of a file that this process does not hold. */
  static OptionalLong holder(Path file) throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    return noted(file)
        .filter(holder -> holder.isRunningElsewhere(key))
        .map(holder -> OptionalLong.of(holder.pid()))
        .orElse(OptionalLong.empty());
  }

  /** The lock, if it was got, and no process runs that lost it. */
  private static LockedFile checked(Path path, Path file, Optional<LockedFile> got)
      throws IOException {
    boolean free = false;
    try {
      Optional<Holder> holder = got.isPresent() ? noted(got.get().open()) : noted(file);
      free = got.isPresent() && holder.filter(h -> h.isRunningElsewhere(got.get().key())).isEmpty();
      if (!free) {
        throw inUse(path, holder);
      }
      return got.get();
    } finally {
      if (!free) {
        got.ifPresent(LockedFile::close);
      }
    }
  }

  private static CachePathException inUse(Path path, Optional<Holder> holder) {
    if (holder.filter(Holder::isThisProcess).isPresent()) {
      return LockedFile.inUseHere(path);
    }
    return LockedFile.inUse(
        path,
        "another process ("
            + holder.map(h -> "pid=" + h.pid()).orElse("which only reads it")
            + ")");
  }

  /** The locked file. */
  LockedFile file() {
    return file;
  }

  /** Releases the lock. May be called twice. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      if (!shared) {
        file.open().setLength(0);
      }
    } catch (IOException e) {
      log().warn("a lock file still names its holder: {}", e.toString());
    } finally {
      file.close();
    }
  }

  /** Notes the holder. The lock holds without the note, even on a full disk. */
  private void note(String text) {
    try {
      file.open().setLength(0);
      file.open().write((text + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      log().debug("the lock file does not tell {}", text, e);
    }
  }

  private static Optional<Holder> noted(Path file) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      return noted(open);
    }
  }

  private static Optional<Holder> noted(RandomAccessFile open) throws IOException {
    byte[] bytes = new byte[MAX_NOTE_BYTES];
    int length = Math.max(0, open.read(bytes));
    open.seek(0);
    return Holder.parse(new String(bytes, 0, length, StandardCharsets.US_ASCII));
  }

  /** Not a constant: commands that only read a cache run without SLF4J. */
  private static Logger log() {
    return LoggerFactory.getLogger(FolderLock.class);
  }

  /**
   * The process that holds a folder, as its lock file names it.
   *
   * @param pid the process's id
   * @param startedMillis when the process started, in milliseconds since 1970; 0 if unknown
   * @param file the lock file's identity: in a copy of the folder it is another
   */
  record Holder(long pid, long startedMillis, String file) {

    private static final Pattern NOTE =
        Pattern.compile("pid=(\\d{1,18}) started=(\\d{1,18}) file=(\\S*)");

    /** The start time is computed from the boot time, which the system has in seconds. */
    private static final long ACCURACY_MILLIS = 1_000;

    /** This process as the holder of a lock file. */
    static Holder here(Object fileKey) {
      return new Holder(
          ProcessHandle.current().pid(), startedMillis(ProcessHandle.current()), text(fileKey));
    }

    /** Parses a line of {@link #note}; empty if it is anything else, such as half of one. */
    static Optional<Holder> parse(String note) {
      Matcher matcher = NOTE.matcher(note.strip());
      return matcher.matches()
          ? Optional.of(
              new Holder(
                  Long.parseLong(matcher.group(1)),
                  Long.parseLong(matcher.group(2)),
                  matcher.group(3)))
          : Optional.empty();
    }

    /** The holder in one line of ASCII. */
    String note() {
      return "pid=" + pid + " started=" + startedMillis + " file=" + file;
    }

    /**
     * Whether the holder is another process that still runs. False if that cannot be found out, as
     * in another container.
     */
    boolean isRunningElsewhere(Object fileKey) {
      if (pid == ProcessHandle.current().pid() || !file.equals(text(fileKey))) {
        return false;
      }
      return isRunning();
    }

    /** Whether the holder is this process. Another container may have one with the same id. */
    boolean isThisProcess() {
      return pid == ProcessHandle.current().pid() && isRunning();
    }

    private boolean isRunning() {
      long started = ProcessHandle.of(pid).map(Holder::startedMillis).orElse(0L);
      return started > 0 && Math.abs(started - startedMillis) <= ACCURACY_MILLIS;
    }

    private static long startedMillis(ProcessHandle process) {
      return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static String text(Object fileKey) {
      return String.valueOf(fileKey).replaceAll("\\s", "");
    }
  }
}
