// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** Gives the regions file its space. The thread that opens or resizes the folder calls it. */
@FunctionalInterface
public interface RegionsSpace {

  /** Sets the length only: regions take space from the disk when they are first written. */
  RegionsSpace SPARSE = (file, usedBytes, sizeBytes) -> setLength(file, sizeBytes);

  /**
   * Gives a file its size, and keeps the contents within it.
   *
   * @param regionsFile exists; it may be shorter or longer, or of that size already
   * @param usedBytes the first part of the file, which has its space and may be in use; 0 if none
   *     is
   * @throws IOException if that fails; the file must then take no more space than before
   */
  void resize(Path regionsFile, long usedBytes, long sizeBytes) throws IOException;

  /** Cuts a file off or extends it, without taking space. */
  static void setLength(Path file, long sizeBytes) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(sizeBytes);
    }
  }
}
