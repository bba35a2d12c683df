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
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is open for I/O past the page cache.
 *
 * @param alignmentBytes alignment of positions, lengths and addresses
 */
record DirectIo(InterruptProofFile file, int alignmentBytes) {

  private static final Logger LOG = LoggerFactory.getLogger(DirectIo.class);

  /** Opens a file of at least one region. Empty if its file system or the JDK has no direct I/O. */
  static Optional<DirectIo> open(Path file) {
    try {
      int alignmentBytes = Math.toIntExact(Files.getFileStore(file).getBlockSize());
      if (alignmentBytes > DeviceGeometry.MIN_REGION_BYTES) {
        throw new IOException(
            "blocks of " + alignmentBytes + " bytes are larger than regions may be");
      }
      Set<OpenOption> options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, direct());
      DirectIo open = new DirectIo(InterruptProofFile.open(file, options), alignmentBytes);
      open.tryOut();
      return Optional.of(open);
    } catch (UnsupportedOperationException | IOException | ReflectiveOperationException e) {
      LOG.info(
          "{} is read and written through the page cache: no direct I/O here ({})",
          file,
          e.toString());
      return Optional.empty();
    }
  }

  /** Reads once, because some file systems refuse only the first read. */
  private void tryOut() throws IOException {
    boolean works = false;
    try {
      ByteBuffer target = ByteBuffer.allocateDirect(2 * alignmentBytes);
      file.read(0, target.alignedSlice(alignmentBytes).limit(alignmentBytes));
      works = true;
    } finally {
      if (!works) {
        file.close();
      }
    }
  }

  /** Finds the option by name, because javac warns of a class that a JDK may lack. */
  private static OpenOption direct() throws ReflectiveOperationException {
    return (OpenOption)
        Class.forName("com.sun.nio.file.ExtendedOpenOption").getField("DIRECT").get(null);
  }
}
