// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import com.sun.jna.LastErrorException;
import dev.terrace.region.device.LibC;
import dev.terrace.region.folder.UnusablePathException.FatalPathException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of an open folder, each of them locked: no other instance, in this process or another,
 * can lock one of them, whatever name it opens it by. Two instances need the same superblock and
 * the same regions, so the second one fails even if the lock file was deleted or replaced.
 *
 * <p>For one thread at a time, except {@link #strayed} and {@link #close}.
 */
final class PathLock implements AutoCloseable {

  /*
   * The locks belong to open file descriptions (F_OFD_SETLK). Such a lock is on the file, not on
   * its name, and lasts until the description is closed. The JDK has only POSIX locks, which belong
   * to the process: they do not keep out a second instance in the process, and are lost as soon as
   * the process closes any descriptor of the file, as mapping does, or an agent that reads all
   * files. So without JNA a path is refused.
   */

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Pattern NOTE = Pattern.compile("pid=(\\d{1,18}) started=\\d+ file=.*");

  private static final int MAX_NOTE_BYTES = 256;

  /**
   * A locked file.
   *
   * @param key the file's device and inode
   * @param descriptor a descriptor of the description that has the lock
   * @param open the same file; its channel must not be used, because an interrupt closes it
   */
  private record Locked(Path name, Object key, int descriptor, RandomAccessFile open) {}

  private final Path path;
  private final LibC libC;
  private final boolean exclusive;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The lock file first. Replaced when a file is added: another thread may iterate over it. */
  private volatile List<Locked> files = List.of();

  private PathLock(Path path, LibC libC, boolean exclusive) {
    this.path = path;
    this.libC = libC;
    this.exclusive = exclusive;
  }

  /**
   * Locks a folder for writing, and records this process in the lock file, which is created if it
   * is absent.
   *
   * @param path the path as it was configured
   * @throws UnusablePathException if the folder is in use, or cannot be locked
   */
  static PathLock exclusive(Path path, Path lockFile) throws IOException {
    OwnedPaths.createIfAbsent(lockFile);
    PathLock lock = of(path, lockFile, true);
    ProcessHandle here = ProcessHandle.current();
    long startedMillis = here.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    lock.note(
        "pid=%s started=%s file=%s\n".formatted(here.pid(), startedMillis, lock.files.get(0).key));
    return lock;
  }

  /**
   * Locks a folder for reading. Several processes may do so.
   *
   * @throws UnusablePathException if the folder is locked exclusively, or cannot be locked
   */
  static PathLock shared(Path path, Path lockFile) throws IOException {
    return of(path, lockFile, false);
  }

  private static PathLock of(Path path, Path lockFile, boolean exclusive) throws IOException {
    PathLock lock = new PathLock(path, libC(path), exclusive);
    RandomAccessFile unused = lock.add(lockFile);
    return lock;
  }

  /**
   * The C library, which takes the locks.
   *
   * @throws UnusablePathException if it cannot be loaded, so that no path can be opened
   */
  static LibC libC(Path path) throws UnusablePathException {
    return LibC.load().orElseThrow(() -> withoutLibC(path, LibC.whyNot().orElseThrow()));
  }

  private static UnusablePathException withoutLibC(Path path, Throwable cause) {
    String reason = "cannot be locked: ";
    if (cause instanceof IllegalCallerException) {
      return new UnusablePathException(
          path,
          reason + "Java denies native access, which JNA needs",
          "restart with --enable-native-access=ALL-UNNAMED (HBASE_OPTS in hbase-env.sh)",
          cause);
    }
    String said = String.valueOf(cause.getMessage()).strip().lines().findFirst().orElse("");
    return cause instanceof UnsatisfiedLinkError || cause instanceof ExceptionInInitializerError
        ? new UnusablePathException(
            path,
            reason + "JNA's native library cannot be loaded (" + said + ")",
            "restart on Linux with glibc (not musl, as in Alpine), with a temporary directory that is"
                + " not mounted noexec (-Djna.tmpdir)",
            cause)
        : new UnusablePathException(
            path,
            reason + "another version of JNA is on the class path or in the system (" + said + ")",
            "remove other versions of JNA from the class path (HBase's lib), and restart with"
                + " -Djna.nosys=true, which ignores the system's version",
            cause);
  }

  private UnusablePathException inUse(Path file) {
    String by =
        files.isEmpty()
            ? holder(file)
            : "another server, which has "
                + file
                + " open though its lock file was deleted or replaced (fuser names it)";
    return new FatalPathException(
        path, "is in use by " + by, "stop it first, or give each server its own path", null);
  }

  private static String holder(Path lockFile) {
    OptionalLong pid = pid(lockFile);
    if (pid.isEmpty()) {
      return "a process that the lock file does not name, such as a running inspect";
    }
    boolean isThis = pid.getAsLong() == ProcessHandle.current().pid();
    return (isThis ? "this process (pid=" : "another process (pid=") + pid.getAsLong() + ")";
  }

  /** The process that the line in a lock file names, for messages; empty if it names none. */
  static OptionalLong pid(Path lockFile) {
    try (InputStream in = Files.newInputStream(lockFile)) {
      return pid(new String(in.readNBytes(MAX_NOTE_BYTES), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** The process that a line names; empty if the line is anything else, such as half of one. */
  static OptionalLong pid(String note) {
    Matcher matcher = NOTE.matcher(note.strip());
    return matcher.matches()
        ? OptionalLong.of(Long.parseLong(matcher.group(1)))
        : OptionalLong.empty();
  }

  /** Records the holder. The lock holds even if that fails, as on a full disk. */
  private void note(String text) {
    try {
      RandomAccessFile lockFile = files.get(0).open;
      lockFile.setLength(0);
      lockFile.write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      log().debug("{}: the lock file does not say {}", path, text, e);
    }
  }

  Path path() {
    return path;
  }

  /**
   * Opens and locks a file that exists.
   *
   * @return the file, open until this lock is closed
   * @throws UnusablePathException if another instance has it open
   */
  RandomAccessFile add(Path file) throws IOException {
    Locked added = locked(file);
    files = Stream.concat(files.stream(), Stream.of(added)).toList();
    return added.open;
  }

  private Locked locked(Path file) throws IOException {
    int descriptor = -1;
    Locked locked = null;
    try {
      int flags = LibC.O_CLOEXEC | (exclusive ? LibC.O_RDWR : LibC.O_RDONLY);
      descriptor = libC.open(file.toString(), flags);
      if (!libC.tryLock(descriptor, exclusive)) {
        throw inUse(file);
      }
      Path itself = DESCRIPTORS.resolve(Integer.toString(descriptor));
      Object key = Files.readAttributes(itself, BasicFileAttributes.class).fileKey();
      RandomAccessFile open = new RandomAccessFile(itself.toFile(), exclusive ? "rw" : "r");
      locked = new Locked(file, key, descriptor, open);
      return locked;
    } catch (LastErrorException e) {
      throw new UnusablePathException(
          path,
          "cannot be locked (" + e.getMessage() + ")",
          "use a local file system with file locks, and Linux 3.15 or later",
          e);
    } finally {
      if (locked == null && descriptor >= 0) {
        libC.close(descriptor);
      }
    }
  }

  /**
   * Deletes files, as far as they exist.
   *
   * @throws UnusablePathException if another instance has one of them open; then none is deleted
   */
  void delete(List<Path> unwanted) throws IOException {
    List<Locked> locked = new ArrayList<>();
    try {
      for (Path file : unwanted) {
        if (Files.exists(file)) {
          locked.add(locked(file));
        }
      }
      for (Path file : unwanted) {
        Files.deleteIfExists(file);
      }
    } finally {
      locked.forEach(this::release);
    }
  }

  /**
   * Why this instance no longer owns the folder; empty if all file names still lead to the files
   * that were opened.
   *
   * @throws IOException if this cannot be determined
   */
  Optional<String> strayed() throws IOException {
    for (Locked file : files) {
      Optional<String> why = strayed(file);
      if (why.isPresent()) {
        return why;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> strayed(Locked file) throws IOException {
    Path name = file.name;
    try {
      BasicFileAttributes found =
          Files.readAttributes(name, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return file.key.equals(found.fileKey())
          ? Optional.empty()
          : Optional.of("its file " + name.getFileName() + " was replaced");
    } catch (NoSuchFileException e) {
      return Optional.of(
          Files.notExists(name.getParent())
              ? "its folder is gone: deleted, moved, unmounted (umount -l), or covered by a mount"
              : "its file " + name.getFileName() + " is gone");
    }
  }

  /** Releases all files, the lock file last. May be called twice. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (exclusive) {
      note("");
    }
    files.stream().skip(1).forEach(this::release);
    release(files.get(0));
  }

  private void release(Locked file) {
    try {
      file.open.close();
    } catch (IOException e) {
      log().warn("{}: releasing its lock failed: {}", file.name, e.toString());
    } finally {
      libC.close(file.descriptor);
    }
  }

  /** Not a constant: commands that only read a cache run without SLF4J. */
  private static Logger log() {
    return LoggerFactory.getLogger(PathLock.class);
  }
}
