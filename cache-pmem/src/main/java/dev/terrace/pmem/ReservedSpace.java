// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import com.sun.jna.LastErrorException;
import dev.terrace.region.device.LibC;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.folder.CachePathException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reserves all the space of a regions file at once. A store to a mapped page without disk space
 * would kill the process.
 */
final class ReservedSpace implements RegionsSpace {

  private static final Logger LOG = LoggerFactory.getLogger(ReservedSpace.class);

  /**
   * Size of one request. A signal makes the kernel give up a request and, on some file systems,
   * start it again.
   */
  private static final long PIECE_BYTES = 1L << 30;

  /**
   * File systems that write a block elsewhere than where it was: that needs space, whatever is
   * reserved.
   */
  private static final Set<String> COPY_ON_WRITE = Set.of("btrfs", "zfs", "bcachefs");

  private static final int CHUNK_BYTES = 1 << 20;
  private static final int PAGE_BYTES = 4096;

  private final boolean allocates;

  /**
   * Space that is reserved with {@code posix_fallocate}, or by writing.
   *
   * @param allocates whether to try the former, which some file systems lack
   */
  ReservedSpace(boolean allocates) {
    this.allocates = allocates;
  }

  static ReservedSpace ofThisSystem() {
    return new ReservedSpace(true);
  }

  /** The C library. It can be reached: no folder is open without it. */
  static LibC libC() {
    return LibC.load().orElseThrow();
  }

  @Override
  public void resize(Path regionsFile, long usedBytes, long sizeBytes) throws IOException {
    long beforeBytes = Files.size(regionsFile);
    if (beforeBytes > sizeBytes) {
      RegionsSpace.setLength(regionsFile, sizeBytes);
    }
    FileStore store = Files.getFileStore(regionsFile);
    long availableBytes = store.getUsableSpace();
    // A tmpfs without a limit reports 0 everywhere.
    if (sizeBytes - beforeBytes > availableBytes && store.getTotalSpace() > 0) {
      throw noSpace(regionsFile, sizeBytes, beforeBytes, store, availableBytes, null);
    }
    boolean reserved = false;
    try {
      reserve(regionsFile, usedBytes, sizeBytes);
      reserved = true;
    } catch (IOException e) {
      throw noSpace(regionsFile, sizeBytes, beforeBytes, store, availableBytes, e);
    } finally {
      if (!reserved) {
        // Also frees what lies beyond the end already.
        RegionsSpace.setLength(regionsFile, Math.min(beforeBytes, sizeBytes));
      }
    }
  }

  /**
   * Whether writes to a file with space reserved need no more. Takes again what a tool may have
   * given back to the file system.
   */
  boolean isKept(Path file, long sizeBytes) throws IOException {
    if (!allocates || copiesOnWrite(file)) {
      return false;
    }
    try {
      return allocate(libC(), file, 0, sizeBytes);
    } catch (IOException e) {
      LOG.debug("{} lacks space that it had", file, e);
      return false;
    }
  }

  private static boolean copiesOnWrite(Path file) throws IOException {
    return COPY_ON_WRITE.contains(Files.getFileStore(file).type());
  }

  private void reserve(Path file, long fromBytes, long sizeBytes) throws IOException {
    if (copiesOnWrite(file)) {
      LOG.warn(
          "{} cannot keep its space: {} writes each block elsewhere. While it is full, nothing is"
              + " written to the tier. Use ext4 or XFS",
          file,
          Files.getFileStore(file).type());
    }
    if (allocates && allocate(libC(), file, fromBytes, sizeBytes)) {
      return;
    }
    LOG.warn(
        "{} gets its space by being written, which is slow: no posix_fallocate on {}",
        file,
        Files.getFileStore(file));
    writeZeros(file, fromBytes, sizeBytes);
  }

  /** Returns false if that is not possible on this file system. */
  private static boolean allocate(LibC c, Path file, long fromBytes, long sizeBytes)
      throws IOException {
    int descriptor;
    try {
      descriptor = c.open(file.toString(), LibC.O_RDWR | LibC.O_CLOEXEC);
    } catch (LastErrorException e) {
      throw new IOException(file + " cannot be opened: errno=" + e.getErrorCode(), e);
    }
    try {
      for (long offset = fromBytes; offset < sizeBytes; offset += PIECE_BYTES) {
        int error = allocate(c, descriptor, offset, Math.min(PIECE_BYTES, sizeBytes - offset));
        if (error == LibC.EOPNOTSUPP || error == LibC.ENOSYS || error == LibC.EINVAL) {
          return false;
        }
        if (error != 0) {
          throw new IOException(
              "posix_fallocate failed: "
                  + (error == LibC.ENOSPC ? "no space left on device" : "errno=" + error)
                  + " at offset="
                  + offset);
        }
      }
      return true;
    } finally {
      c.close(descriptor);
    }
  }

  private static int allocate(LibC c, int descriptor, long offset, long lengthBytes) {
    int error;
    do {
      error = c.posixFallocate(descriptor, offset, lengthBytes);
    } while (error == LibC.EINTR);
    return error;
  }

  /**
   * Reserves space by writing: extends a file to a size, fills its holes and keeps its contents.
   * Slow: it reads the whole file, because the JDK cannot find its holes.
   *
   * @param fromBytes what lies before is not touched; at most the length of the file
   * @throws IOException if the disk is full or fails; the file may then be longer than before
   */
  private static void writeZeros(Path file, long fromBytes, long sizeBytes) throws IOException {
    byte[] zeros = new byte[CHUNK_BYTES];
    byte[] found = new byte[CHUNK_BYTES];
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      long thereBytes = open.length();
      for (long offset = fromBytes; offset < thereBytes; offset += CHUNK_BYTES) {
        int length = (int) Math.min(CHUNK_BYTES, thereBytes - offset);
        open.seek(offset);
        open.readFully(found, 0, length);
        fillHoles(open, offset, found, zeros, length);
      }
      open.seek(thereBytes);
      for (long offset = thereBytes; offset < sizeBytes; offset += CHUNK_BYTES) {
        open.write(zeros, 0, (int) Math.min(CHUNK_BYTES, sizeBytes - offset));
      }
      open.getFD().sync();
    }
  }

  /** Writes zeros to each page of zeros, which may be a hole. */
  private static void fillHoles(
      RandomAccessFile open, long offset, byte[] found, byte[] zeros, int length)
      throws IOException {
    for (int page = 0; page < length; page += PAGE_BYTES) {
      int end = Math.min(page + PAGE_BYTES, length);
      if (Arrays.equals(found, page, end, zeros, page, end)) {
        open.seek(offset + page);
        open.write(zeros, 0, end - page);
      }
    }
  }

  private static CachePathException noSpace(
      Path file,
      long wantedBytes,
      long beforeBytes,
      FileStore store,
      long availableBytes,
      IOException cause)
      throws IOException {
    return new CachePathException(
        file,
        "cannot get its space"
            + (cause == null ? "" : " (" + cause.getMessage() + ")")
            + ": wanted="
            + wantedBytes
            + " bytes, of which it has had "
            + beforeBytes
            + ", available="
            + availableBytes
            + " bytes on "
            + store,
        "free space there, or configure a smaller size",
        cause);
  }
}
