// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import com.sun.jna.LastErrorException;
import dev.terrace.region.device.LibC;
import dev.terrace.region.folder.CacheFolder.RegionsSpace;
import dev.terrace.region.folder.UnusablePathException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reserves all the space of a regions file at once. A store to a mapped page without disk space
 * would kill the process.
 */
final class ReservedSpace {

  /**
   * Size of one request. A signal makes the kernel abort a request and, on some file systems, start
   * it over.
   */
  private static final long PIECE_BYTES = 1L << 30;

  private ReservedSpace() {}

  /** The C library. It is available here: no folder opens without it. */
  static LibC libC() {
    return LibC.load().orElseThrow();
  }

  /** Gives a regions file its size, as {@link RegionsSpace} specifies. */
  static void resize(Path regionsFile, long sizeBytes) throws IOException {
    long beforeBytes = Files.size(regionsFile);
    if (beforeBytes > sizeBytes) {
      RegionsSpace.setLength(regionsFile, sizeBytes);
    }
    FileStore store = Files.getFileStore(regionsFile);
    long availableBytes = store.getUsableSpace();
    boolean reserved = false;
    try {
      // A tmpfs without a limit reports 0 everywhere.
      if (sizeBytes - beforeBytes > availableBytes && store.getTotalSpace() > 0) {
        throw new IOException("no space left");
      }
      allocate(regionsFile, sizeBytes);
      reserved = true;
    } catch (IOException e) {
      throw new UnusablePathException(
          regionsFile,
          "cannot reserve its space (%s): wanted=%s bytes, present=%s bytes, available=%s bytes on %s"
              .formatted(e.getMessage(), sizeBytes, beforeBytes, availableBytes, store),
          "free space there, or make the tier smaller",
          e);
    } finally {
      if (!reserved) {
        // Also frees space that is already allocated beyond the end.
        RegionsSpace.setLength(regionsFile, Math.min(beforeBytes, sizeBytes));
      }
    }
  }

  static void allocate(Path file, long sizeBytes) throws IOException {
    LibC c = libC();
    int descriptor;
    try {
      descriptor = c.open(file.toString(), LibC.O_RDWR | LibC.O_CLOEXEC);
    } catch (LastErrorException e) {
      throw new IOException(file + " cannot be opened: errno=" + e.getErrorCode(), e);
    }
    try {
      long offset = 0;
      while (offset < sizeBytes) {
        long length = Math.min(PIECE_BYTES, sizeBytes - offset);
        int error = c.posix_fallocate(descriptor, offset, length);
        if (error == 0) {
          offset += length;
        } else if (error != LibC.EINTR) {
          throw new IOException(
              "posix_fallocate failed: " + c.text(error) + " at offset=" + offset);
        }
      }
    } finally {
      c.close(descriptor);
    }
  }
}
