// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.device.InterruptProofFile;
import dev.terrace.region.format.EvictionList;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * The file with a folder's two places for an {@link EvictionList}. It stays open, so that nothing
 * is written elsewhere when the path leads elsewhere. For one thread at a time.
 */
final class EvictionsFile implements AutoCloseable {

  private static final String NAME = "evictions";

  private final InterruptProofFile file;

  private EvictionsFile(InterruptProofFile file) {
    this.file = file;
  }

  /** Opens the file, which is made if it is absent. */
  static EvictionsFile open(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    OwnedPaths.checkFile(file);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      OwnedPaths.createFile(file);
    }
    return new EvictionsFile(
        InterruptProofFile.open(file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE)));
  }

  /** Reads the file of a folder that is not in use. */
  static ByteBuffer read(Path folder, int place) throws IOException {
    Path file = folder.resolve(NAME);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return ByteBuffer.allocate(0);
    }
    try (InterruptProofFile opened =
        InterruptProofFile.open(file, Set.of(StandardOpenOption.READ))) {
      return read(opened, place);
    }
  }

  /** The list at a place; empty if there is none. */
  ByteBuffer read(int place) throws IOException {
    return read(file, place);
  }

  private static ByteBuffer read(InterruptProofFile from, int place) throws IOException {
    ByteBuffer header =
        ByteBuffer.allocate(EvictionList.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try {
      from.read(position(place), header);
      ByteBuffer list = ByteBuffer.allocate(EvictionList.sizeBytes(header));
      from.read(position(place), list);
      return list.flip();
    } catch (EOFException e) {
      return ByteBuffer.allocate(0);
    }
  }

  /** Writes a list to a place, durably. */
  void write(int place, ByteBuffer list) throws IOException {
    file.write(position(place), list.duplicate());
    file.force();
  }

  private static long position(int place) {
    return (long) place * EvictionList.MOST_BYTES;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
