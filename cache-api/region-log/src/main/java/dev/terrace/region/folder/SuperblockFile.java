/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region.folder;

import dev.terrace.region.format.RecoveryMark;
import dev.terrace.region.format.Superblock;
import dev.terrace.region.format.SuperblockLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file with two copies of the superblock, and the recovery mark. It is overwritten in place, so
 * it needs no space on a full disk. For one thread at a time.
 */
final class SuperblockFile {

  private final Path file;

  SuperblockFile(Path folder) {
    this.file = folder.resolve("superblock");
  }

  Path file() {
    return file;
  }

  /**
   * Reads the superblock, or returns why there is none that can be used.
   *
   * @throws CachePathException if the file cannot be read now
   */
  Superblock.Reading read() throws CachePathException {
    return PatientRead.of(file, SuperblockLayout.FILE_BYTES)
        .map(Superblock::decode)
        .orElse(Superblock.Reading.ABSENT);
  }

  /**
   * Writes both copies, one once the other one is durable. So one of them is whole after any crash.
   */
  void write(Superblock superblock) throws IOException {
    byte[] copy = superblock.encode();
    try {
      boolean isNew = !Files.exists(file);
      if (isNew) {
        OwnedPaths.createFile(file);
      }
      try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
        if (out.length() != SuperblockLayout.FILE_BYTES) {
          out.setLength(SuperblockLayout.FILE_BYTES);
        }
        byte[] before = new byte[SuperblockLayout.FILE_BYTES];
        out.readFully(before);
        writeCopies(before, (at, bytes) -> write(out, at, bytes), () -> out.getFD().sync(), copy);
      }
      if (isNew) {
        OwnedPaths.force(file.getParent());
      }
    } catch (IOException e) {
      throw new CachePathException(
          file,
          "cannot be written (" + e.getMessage() + ")",
          "the disk must be writable and have some space",
          e);
    }
  }

  /** Writes bytes at a position. */
  @FunctionalInterface
  interface Write {
    void at(int position, byte[] bytes) throws IOException;
  }

  /** Makes durable what was written. */
  @FunctionalInterface
  interface Sync {
    void run() throws IOException;
  }

  /** Writes first the copy that the other one can replace. A crash may have left just one. */
  static void writeCopies(byte[] before, Write write, Sync sync, byte[] copy) throws IOException {
    boolean isFirstNewer = Superblock.isFirstCopyNewer(before);
    write.at(isFirstNewer ? SuperblockLayout.SECOND_COPY : SuperblockLayout.FIRST_COPY, copy);
    sync.run();
    write.at(isFirstNewer ? SuperblockLayout.FIRST_COPY : SuperblockLayout.SECOND_COPY, copy);
    sync.run();
  }

  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  /** The last recovery mark. */
  RecoveryMark readMark() throws IOException {
    byte[] mark = new byte[RecoveryMark.SIZE_BYTES];
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      if (in.length() < SuperblockLayout.RECOVERY_MARK + mark.length) {
        return RecoveryMark.NONE;
      }
      in.seek(SuperblockLayout.RECOVERY_MARK);
      in.readFully(mark);
    }
    return RecoveryMark.decode(mark);
  }

  /**
   * Writes the recovery mark. It outlives the process, but not a power cut.
   *
   * @throws NoSuchFileException if the superblock was deleted; a mark makes no new file
   */
  void writeMark(RecoveryMark mark) throws IOException {
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(mark.encode());
      while (bytes.hasRemaining()) {
        out.write(bytes, SuperblockLayout.RECOVERY_MARK + bytes.position());
      }
    }
  }

  private static void write(RandomAccessFile out, int position, byte[] bytes) throws IOException {
    out.seek(position);
    out.write(bytes);
  }
}
