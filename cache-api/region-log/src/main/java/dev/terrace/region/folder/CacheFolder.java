// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.Superblock.DeviceKind;
import dev.terrace.region.format.TombstoneList;
import dev.terrace.region.format.TombstoneLog;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.KeyException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder {@code terrace} below a configured path, with one device's regions. The process that
 * has it open owns it; no other process can open it.
 *
 * <pre>
 *   PATH/                 configured; writable by its owner alone
 *     terrace/            0700
 *       lock              locked while the folder is open; names the process
 *       superblock        what the folder is, see {@link Superblock}
 *       regions           the regions, one after the other
 *       key               the wrapped data key, if blocks are encrypted
 *       evictions         places for a {@link TombstoneLog}
 * </pre>
 *
 * <p>Contents are kept, adapted to the configured size, or discarded with the reason in the log.
 * Opening fails only for problems that the operator must solve, such as contents that cannot be
 * read now, or that a newer version wrote: those are kept as they are.
 *
 * <p>Thread-safe.
 */
public final class CacheFolder implements AutoCloseable {

  /** The name of the folder below a configured path. */
  static final String NAME = "terrace";

  /** What the files beside the regions take on a disk, at most. Most of it is for evictions. */
  public static final long MAX_OTHER_BYTES = TombstoneLog.startOf(TombstoneLog.PLACES) + (1 << 20);

  private static final String LOCK = "lock";
  private static final String REGIONS = "regions";
  private static final String EVICTIONS = "evictions";
  private static final List<String> FILES =
      List.of(LOCK, SuperblockFile.NAME, REGIONS, EVICTIONS, DataKeyFile.NAME);

  private final RegionsSpace space;
  private final SuperblockFile superblockFile;
  private volatile Superblock superblock;
  private final Optional<String> note;
  private final BlockCipher cipher;
  private final PathLock lock;
  private final Path regionsFile;
  private final RandomAccessFile regions;
  private final RandomAccessFile evictions;
  private volatile boolean closed;

  /**
   * Opens a folder for reading and writing, and creates missing files. The regions file gets its
   * configured size.
   *
   * @param space how the regions file gets its space
   * @param clock for the times in the superblock
   * @throws UnusablePathException if the path is in use, or not fit for a cache
   * @throws IOException if the disk fails; a regions file that this call created is then deleted
   */
  public static CacheFolder open(CacheSpec spec, RegionsSpace space, Clock clock)
      throws IOException {
    Path path = spec.path().toAbsolutePath();
    Path folder = path.resolve(NAME);
    boolean unused = OwnedPaths.check(path, folder, FILES, true);
    PathLock lock = PathLock.exclusive(spec.path(), lockFile(folder));
    try {
      return new CacheFolder(spec, folder, space, clock.millis(), lock);
    } catch (IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Checks what {@link #open} would find, as far as that is possible without a change or a lock.
   *
   * @throws UnusablePathException if the path is not fit for a cache
   */
  public static void check(Path path) throws IOException {
    Path folder = path.resolve(NAME);
    if (OwnedPaths.check(path, folder, FILES, false)) {
      SuperblockFile.read(folder);
    }
  }

  static FolderPlan plan(CacheSpec spec, Path folder, Optional<String> keyFault, long nowMillis)
      throws IOException {
    Path regionsFile = regionsFile(folder);
    return FolderPlan.of(
        SuperblockFile.read(folder),
        OwnedPaths.isAbsent(regionsFile)
            ? OptionalLong.empty()
            : OptionalLong.of(Files.size(regionsFile)),
        keyFault,
        Superblock.fresh(
            spec.kind(), spec.geometry(), spec.contents(), nowMillis, FolderPlan.place(folder)));
  }

  private CacheFolder(
      CacheSpec spec, Path folder, RegionsSpace space, long nowMillis, PathLock lock)
      throws IOException {
    this.space = space;
    this.lock = lock;
    this.regionsFile = regionsFile(folder);
    Path evictionsFile = folder.resolve(EVICTIONS);
    DataKeyFile keyFile = spec.keys().map(keys -> new DataKeyFile(folder, keys)).orElse(null);
    BlockCipher kept = null;
    Optional<String> keyFault = Optional.empty();
    try {
      kept = keyFile == null ? null : keyFile.read();
    } catch (KeyException e) {
      keyFault = Optional.of(e.getMessage());
    }
    FolderPlan plan = plan(spec, folder, keyFault, nowMillis);
    this.superblock = plan.next();
    this.note = plan.note();
    // Before anything is deleted: without a master key this throws, and the path stays as it is.
    this.cipher = plan.isEmpty() && keyFile != null ? keyFile.fresh() : kept;
    if (plan.isEmpty()) {
      // A new file, not the old one truncated: a closed instance in this process may still have the
      // old one mapped, and read it.
      lock.delete(List.of(SuperblockFile.of(folder), regionsFile));
      Files.deleteIfExists(folder.resolve(DataKeyFile.NAME));
      if (keyFile != null) {
        keyFile.write();
      }
    }
    boolean opened = false;
    try {
      OwnedPaths.createIfAbsent(evictionsFile);
      if (plan.isEmpty()) {
        OwnedPaths.createIfAbsent(regionsFile);
        // The last one: this makes the names of all three durable.
        SuperblockFile.create(folder);
      }
      this.regions = lock.add(regionsFile);
      this.evictions = lock.add(evictionsFile);
      Path superblockPath = SuperblockFile.of(folder);
      this.superblockFile = new SuperblockFile(superblockPath, lock.add(superblockPath));
      space.resize(regionsFile, spec.geometry().sizeBytes());
      superblockFile.write(superblock);
      opened = true;
    } finally {
      if (!opened && plan.isEmpty()) {
        Files.deleteIfExists(SuperblockFile.of(folder));
        Files.deleteIfExists(regionsFile);
      }
    }
    logOpened(spec.path(), plan);
  }

  /** Called after the opening: a path that cannot be opened is retried every few seconds. */
  private static void logOpened(Path path, FolderPlan plan) {
    if (plan.note().isPresent()) {
      log().warn("{} is {}", path, plan.note().get());
    } else if (plan.isEmpty()) {
      log().info("{} begins empty: no cache was there", path);
    }
  }

  /** The length of the regions below a configured path; 0 if there are none. */
  public static long regionsFileBytes(Path path) throws IOException {
    Path file = regionsFile(path.resolve(NAME));
    return OwnedPaths.isAbsent(file)
        ? 0
        : OwnedPaths.attributes(file, LinkOption.NOFOLLOW_LINKS).size();
  }

  /** The regions file of a path; if it is absent, the directory nearest to it that exists. */
  public static Path regionsFileOrDirectory(Path path) {
    Path found = regionsFile(path.toAbsolutePath().resolve(NAME));
    while (OwnedPaths.isAbsent(found)) {
      found = found.getParent();
    }
    return found;
  }

  static Path lockFile(Path folder) {
    return folder.resolve(LOCK);
  }

  static Path regionsFile(Path folder) {
    return folder.resolve(REGIONS);
  }

  public Path path() {
    return lock.path();
  }

  /** The file with the regions, one after the other. */
  public Path regionsFile() {
    return regionsFile;
  }

  /** Encrypts blocks under the folder's data key; null if it has none. */
  BlockCipher cipher() {
    return cipher;
  }

  public DeviceGeometry geometry() {
    return superblock.geometry();
  }

  Superblock superblock() {
    return superblock;
  }

  /** Why the contents were not kept as they were; else empty. */
  public Optional<String> note() {
    return note;
  }

  /**
   * Changes the number of regions while the folder is open. A growing file gets its space before
   * the superblock names the new regions; a shrinking one loses it afterwards. So a crash leaves
   * contents of either the old or the new size.
   *
   * @param count the new number; no region from this one on is in use
   * @throws UnusablePathException if this folder no longer owns the path, or the file system cannot
   *     give the space
   * @throws IOException if that fails; a file that was to grow may have grown
   */
  synchronized void resize(int count) throws IOException {
    Optional<String> lost = whyLost();
    if (lost.isPresent()) {
      throw new UnusablePathException(
          path(), "no longer belongs to this server (" + lost.get() + ")", "restart the server");
    }
    DeviceGeometry before = geometry();
    DeviceGeometry next = new DeviceGeometry(before.regionBytes(), count);
    if (count > before.regions()) {
      space.resize(regionsFile(), next.sizeBytes());
    }
    superblockFile.write(superblock.resized(next));
    superblock = superblock.resized(next);
    if (count < before.regions()) {
      regions.setLength(next.sizeBytes());
    }
  }

  /**
   * Why this folder no longer owns the path: its files were deleted, moved, replaced or covered by
   * a mount, or another server has opened them. Empty if it does, or is closed. May block for as
   * long as the file system does.
   *
   * @throws IOException if this cannot be determined now
   */
  Optional<String> whyLost() throws IOException {
    Optional<String> lost = lock.strayed();
    if (lost.isEmpty()) {
      lost =
          superblockFile.present().filter(found -> !isOwn(found)).map(CacheFolder::openedByOther);
    }
    return closed ? Optional.empty() : lost;
  }

  private boolean isOwn(Superblock found) {
    return found.id().equals(superblock.id()) && found.generation() == superblock.generation();
  }

  private static String openedByOther(Superblock found) {
    return "another server has opened it: its superblock has id="
        + found.id()
        + " generation="
        + found.generation();
  }

  /** The lists of evictions at a place; empty if there is none. */
  synchronized ByteBuffer evictions(int place) throws IOException {
    return evictions(evictions, place);
  }

  /** The same for a folder that is not open. */
  static ByteBuffer evictions(Path folder, int place) throws IOException {
    Path file = folder.resolve(EVICTIONS);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return ByteBuffer.allocate(0);
    }
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
      return evictions(opened, place);
    }
  }

  private static ByteBuffer evictions(RandomAccessFile from, int place) throws IOException {
    long start = TombstoneLog.startOf(place);
    long end = Math.min(start + TombstoneLog.MAX_BYTES, from.length());
    long at = start;
    for (int more = listBytes(from, at, end); more > 0; more = listBytes(from, at, end)) {
      at += more;
    }
    ByteBuffer lists = ByteBuffer.allocate((int) (at - start));
    from.seek(start);
    from.readFully(lists.array());
    return lists;
  }

  /** The size of the list at a position; 0 if there is none, or it goes on beyond the end. */
  private static int listBytes(RandomAccessFile from, long at, long end) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(TombstoneList.HEADER_BYTES);
    if (end - at < header.capacity()) {
      return 0;
    }
    from.seek(at);
    from.readFully(header.array());
    int bytes = TombstoneList.sizeBytes(RecordLayout.littleEndian(header));
    return bytes <= end - at ? bytes : 0;
  }

  /** Writes a list of evictions to a position of a place, durably. */
  synchronized void evictions(int place, int position, ByteBuffer list) throws IOException {
    byte[] bytes = new byte[list.remaining()];
    list.get(list.position(), bytes);
    evictions.seek(TombstoneLog.startOf(place) + position);
    evictions.write(bytes);
    evictions.getFD().sync();
  }

  @Override
  public void close() {
    closed = true;
    lock.close();
  }

  /** Not a constant: commands that only read a cache run without SLF4J. */
  private static Logger log() {
    return LoggerFactory.getLogger(CacheFolder.class);
  }

  /** Gives the regions file its space. Called by the thread that opens or resizes the folder. */
  @FunctionalInterface
  public interface RegionsSpace {

    /** Sets the length only: regions take disk space when they are first written. */
    RegionsSpace SPARSE = RegionsSpace::setLength;

    /**
     * Gives a file its size, and keeps the contents within it.
     *
     * @param regionsFile exists; it may be shorter or longer, or of that size already
     * @throws IOException if that fails; the file must then take no more space than before
     */
    void resize(Path regionsFile, long sizeBytes) throws IOException;

    /** Truncates or extends a file, without taking space. */
    static void setLength(Path file, long sizeBytes) throws IOException {
      try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
        open.setLength(sizeBytes);
      }
    }
  }

  /**
   * The configuration of a path.
   *
   * @param path a directory, which may be absent if its parent is there
   * @param kind the kind of device
   * @param geometry how many regions of what size
   * @param contents the application's settings that the bytes of its blocks depend on, as a text of
   *     at most {@link Superblock#MAX_CONTENTS_BYTES} bytes of UTF-8; a path whose text differs is
   *     started empty
   * @param keys wraps the folder's data key; empty for a folder without one
   */
  public record CacheSpec(
      Path path,
      DeviceKind kind,
      DeviceGeometry geometry,
      String contents,
      Optional<KeyWrapper> keys) {}
}
