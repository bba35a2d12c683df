// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import dev.terrace.region.device.InterruptProofFile;
import dev.terrace.region.format.DeviceGeometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens files for I/O past the page cache. */
final class DirectIo {

  private static final Logger LOG = LoggerFactory.getLogger(DirectIo.class);

  private DirectIo() {}

  /**
   * Alignment of positions, lengths and addresses.
   *
   * @throws IOException if the file system does not report it
   */
  static int alignmentBytes(Path file) throws IOException {
    return Math.toIntExact(Files.getFileStore(file).getBlockSize());
  }

  /** Opens a file of at least one region. Empty if its file system or the JDK has no direct I/O. */
  static Optional<InterruptProofFile> open(Path file) {
    try {
      Set<OpenOption> options = new HashSet<>();
      options.add(StandardOpenOption.READ);
      options.add(StandardOpenOption.WRITE);
      options.add(direct());
      return Optional.of(tried(file, InterruptProofFile.openForReaders(file, options)));
    } catch (UnsupportedOperationException | IOException | ReflectiveOperationException e) {
      LOG.info(
          "{} is read and written through the page cache: no direct I/O here ({})",
          file,
          e.toString());
      return Optional.empty();
    }
  }

  /** Reads once, because some file systems refuse only the first read. */
  private static InterruptProofFile tried(Path file, InterruptProofFile open) throws IOException {
    boolean isTried = false;
    try {
      int alignment = alignmentBytes(file);
      if (alignment > DeviceGeometry.MIN_REGION_BYTES) {
        throw new IOException("blocks of " + alignment + " bytes are larger than regions may be");
      }
      open.read(
          0, ByteBuffer.allocateDirect(2 * alignment).alignedSlice(alignment).limit(alignment));
      isTried = true;
      return open;
    } finally {
      if (!isTried) {
        open.close();
      }
    }
  }

  /** Finds the option by name, because javac warns of a class that a JDK may lack. */
  private static OpenOption direct() throws ReflectiveOperationException {
    return (OpenOption)
        Class.forName("com.sun.nio.file.ExtendedOpenOption").getField("DIRECT").get(null);
  }
}
