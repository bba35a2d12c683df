// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.terrace.region.device.DeviceFault;
import dev.terrace.region.device.LibC;
import dev.terrace.region.folder.UnusablePathException.FatalPathException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/**
 * Directories and files that only this process's user can change and read. A cache is as
 * confidential as its tables. Without {@link LibC} the user is not known.
 */
final class OwnedPaths {

  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> WRITE_BY_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
  private static final long ROOT = 0;

  private OwnedPaths() {}

  /**
   * Checks that only this user can write to a configured path (or root), and to its folder and the
   * folder's files, as far as they exist.
   *
   * @param mayChange whether to create both directories, and to take the rights of others on what
   *     belongs to this user: a volume with an {@code fsGroup} grants them to the group at each
   *     mount
   * @return whether the folder is there
   */
  static boolean check(Path path, Path folder, List<String> files, boolean mayChange)
      throws IOException {
    LibC unused = PathLock.libC(path);
    if (!exists(path, mayChange)) {
      return false;
    }
    checkPath(path);
    if (mayChange) {
      Set<PosixFilePermission> rights = new HashSet<>(Files.getPosixFilePermissions(path));
      rights.removeAll(WRITE_BY_OTHERS);
      setRights(path, rights);
    }
    if (!exists(folder, mayChange)) {
      return false;
    }
    checkKind(folder, BasicFileAttributes::isDirectory, "is not a directory or is a link");
    if (mayChange) {
      setRights(folder, FOLDER);
    }
    checkWritable(folder);
    for (String name : files) {
      Path file = folder.resolve(name);
      if (!isAbsent(file)) {
        checkKind(file, BasicFileAttributes::isRegularFile, "is not a regular file");
        if (mayChange) {
          setRights(file, FILE);
        }
      }
    }
    return true;
  }

  /** Whether a directory exists. If not, it is created, or only must be possible to create. */
  private static boolean exists(Path directory, boolean mayCreate) throws IOException {
    if (!isAbsent(directory)) {
      return true;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new FatalPathException(
          directory,
          "does not exist, nor does its parent directory",
          "mount the disk, or create the directory",
          null);
    }
    if (!mayCreate) {
      if (!Files.isWritable(parent)) {
        throw cannotCreate(directory, "no write permission, or a read-only file system", null);
      }
      return false;
    }
    try {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(FOLDER));
    } catch (IOException e) {
      throw cannotCreate(directory, e.toString(), e);
    }
    force(parent);
    return true;
  }

  /** Whether nothing has this name. False if that cannot be determined now. */
  static boolean isAbsent(Path path) {
    return Files.notExists(path, NOFOLLOW_LINKS);
  }

  /**
   * The attributes of the file with this name.
   *
   * @throws UnusablePathException if they cannot be read now
   */
  static BasicFileAttributes attributes(Path path, LinkOption... options)
      throws UnusablePathException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, options);
    } catch (AccessDeniedException e) {
      throw new UnusablePathException(
          path,
          "cannot be checked: this process's user may not enter " + path.getParent(),
          "let the user enter it (chmod), or " + DeviceFault.EACCES.remedy(),
          e);
    } catch (IOException e) {
      throw new UnusablePathException(
          path,
          "cannot be checked now (" + e + ")",
          "check its disk, and the permissions of its parent directories",
          e);
    }
  }

  private static void checkPath(Path path) throws IOException {
    if (Files.notExists(path)) {
      throw new FatalPathException(path, "is a dangling link", "name an existing directory", null);
    }
    if (!attributes(path).isDirectory()) {
      throw new FatalPathException(path, "is not a directory", "name a directory", null);
    }
    long owner = owner(path);
    long uid = uid();
    if (owner != uid && owner != ROOT) {
      throw new UnusablePathException(
          path,
          "belongs to the user " + named(path, owner) + ", who could replace the cache",
          remedy(uid, "give it to the user of this process (uid " + uid + ") or to root"));
    }
    if (owner != uid && isWritableByOthers(path)) {
      throw new UnusablePathException(
          path,
          "belongs to %s and is writable by others (%s)"
              .formatted(
                  named(path, owner),
                  PosixFilePermissions.toString(Files.getPosixFilePermissions(path))),
          ("remove that permission (chmod go-w), or name a directory in it that belongs to uid %s:"
                  + " others could replace cached data")
              .formatted(uid));
    }
  }

  private static void checkKind(Path path, Predicate<BasicFileAttributes> isRight, String wrong)
      throws IOException {
    if (!isRight.test(attributes(path, NOFOLLOW_LINKS))) {
      throw new UnusablePathException(path, wrong, "remove it; Terrace creates it again");
    }
    long owner = owner(path);
    long uid = uid();
    if (owner != uid) {
      throw new UnusablePathException(
          path,
          "belongs to the user " + named(path, owner) + ", and the cache runs as uid " + uid,
          remedy(uid, "remove it, or give all of it to uid " + uid + " (chown -R)"));
    }
  }

  /** Root is more likely the wrong user than the paths are another's by mistake. */
  private static String remedy(long uid, String ofAnyUser) {
    return uid == ROOT ? "run this process as that user, as the region server runs" : ofAnyUser;
  }

  /** A folder that lacks its owner's right to write gets it when it is opened. */
  private static void checkWritable(Path folder) throws IOException {
    if (Files.isWritable(folder)
        || !Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OWNER_WRITE)) {
      return;
    }
    if (Files.getFileStore(folder).isReadOnly()) {
      throw new UnusablePathException(
          folder,
          "is on a read-only file system",
          "check dmesg for disk errors, unmount it, run fsck, and mount it writable");
    }
    throw new UnusablePathException(folder, "is not writable", DeviceFault.EACCES.remedy());
  }

  /**
   * The first bytes of a file; empty if there is none.
   *
   * @throws UnusablePathException if it cannot be read now: if that counted as absence, one disk
   *     error would empty the path
   */
  static Optional<byte[]> read(Path file, int maxBytes) throws UnusablePathException {
    try (InputStream in = Files.newInputStream(file)) {
      return Optional.of(in.readNBytes(maxBytes));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UnusablePathException(
          file,
          "cannot be read now (" + e + ")",
          DeviceFault.of(e).remedy()
              + "; the cache there is kept, to start with an empty one remove the file",
          e);
    }
  }

  /** Creates an empty file for this user alone, if it is absent. */
  static void createIfAbsent(Path file) throws IOException {
    Set<OpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    Files.newByteChannel(file, options, PosixFilePermissions.asFileAttribute(FILE)).close();
  }

  /** Makes creations, renames and deletions in a directory durable. */
  static void force(Path directory) throws IOException {
    // A FileChannel would be closed by an interrupt of this thread.
    try (AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static UnusablePathException cannotCreate(Path directory, String why, IOException cause) {
    return new UnusablePathException(
        directory,
        "cannot be created (" + why + ")",
        "mount its disk if it has one; %s must be writable by uid %s"
            .formatted(directory.toAbsolutePath().getParent(), uid()),
        cause);
  }

  private static void setRights(Path path, Set<PosixFilePermission> wanted) throws IOException {
    Set<PosixFilePermission> now = Files.getPosixFilePermissions(path);
    if (now.equals(wanted)) {
      return;
    }
    if (isWritableByOthers(path)) {
      // Not a constant: tools that only read run without a logging library.
      LoggerFactory.getLogger(OwnedPaths.class)
          .info(
              "{} was writable by others than its owner ({}); nobody else may write to it now",
              path,
              PosixFilePermissions.toString(now));
    }
    Files.setPosixFilePermissions(path, wanted);
  }

  private static boolean isWritableByOthers(Path path) throws IOException {
    return Files.getPosixFilePermissions(path).stream().anyMatch(WRITE_BY_OTHERS::contains);
  }

  static long uid() {
    return LibC.load().orElseThrow().effectiveUser();
  }

  private static long owner(Path path) throws IOException {
    return ((Number) Files.getAttribute(path, "unix:uid")).longValue();
  }

  private static String named(Path path, long uid) throws IOException {
    return Files.getOwner(path).getName() + " (uid " + uid + ")";
  }
}
