// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.format.Superblock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file with two copies of the superblock. It is overwritten in place, so it needs no space on a
 * full disk. Thread-safe.
 */
class SuperblockFile {

  static final String NAME = "superblock";

  private final Path file;
  private final RandomAccessFile open;

  /** Uses the opened file, even after it is renamed or deleted. */
  SuperblockFile(Path file, RandomAccessFile open) {
    this.file = file;
    this.open = open;
  }

  static Path of(Path folder) {
    return folder.resolve(NAME);
  }

  /**
   * Reads the superblock, or returns why none can be used.
   *
   * @throws UnusablePathException if the file cannot be read now, or a newer version wrote it: the
   *     cache must still be warm when that version comes back
   */
  static Superblock.Reading read(Path folder) throws UnusablePathException {
    Superblock.Reading found = readToLook(folder);
    if (found.otherVersion() > Superblock.FORMAT_VERSION) {
      throw new UnusablePathException(
          folder,
          "was written by a newer Terrace (format version %s, and this one reads %s)"
              .formatted(found.otherVersion(), Superblock.FORMAT_VERSION),
          "run that version, or delete " + folder + " to start empty");
    }
    return found;
  }

  /** Reads the superblock for inspection. A newer version counts as any other fault. */
  static Superblock.Reading readToLook(Path folder) throws UnusablePathException {
    return OwnedPaths.read(of(folder), Superblock.FILE_BYTES)
        .map(Superblock::decode)
        .orElse(Superblock.Reading.ABSENT);
  }

  static void create(Path folder) throws IOException {
    try {
      OwnedPaths.createIfAbsent(of(folder));
      OwnedPaths.force(folder);
    } catch (IOException e) {
      throw UnusablePathException.notWritten(of(folder), e);
    }
  }

  /**
   * Writes one copy and, once it is durable, the other. So one of them is intact after any crash.
   */
  synchronized void write(Superblock superblock) throws IOException {
    byte[] copy = superblock.encode();
    try {
      if (open.length() != Superblock.FILE_BYTES) {
        open.setLength(Superblock.FILE_BYTES);
      }
      writeCopies(readOpen(), copy);
    } catch (IOException e) {
      throw UnusablePathException.notWritten(file, e);
    }
  }

  /**
   * The superblock in the open file; empty if there is no intact one.
   *
   * @throws IOException if it cannot be read now
   */
  synchronized Optional<Superblock> present() throws IOException {
    return Superblock.decode(readOpen()).superblock();
  }

  private byte[] readOpen() throws IOException {
    byte[] bytes = new byte[Superblock.FILE_BYTES];
    open.seek(0);
    open.readFully(bytes);
    return bytes;
  }

  /** Writes the dispensable copy first, because a crash may have left only one intact. */
  final void writeCopies(byte[] before, byte[] copy) throws IOException {
    boolean isFirstNewer = Superblock.isFirstCopyNewer(before);
    write(isFirstNewer ? Superblock.SECOND_COPY : Superblock.FIRST_COPY, copy);
    sync();
    write(isFirstNewer ? Superblock.FIRST_COPY : Superblock.SECOND_COPY, copy);
    sync();
  }

  void write(int position, byte[] bytes) throws IOException {
    open.seek(position);
    open.write(bytes);
  }

  void sync() throws IOException {
    open.getFD().sync();
  }
}
