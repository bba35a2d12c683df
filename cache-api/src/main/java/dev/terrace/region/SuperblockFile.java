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
package dev.terrace.region;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file that holds the superblock. Used by one thread. */
final class SuperblockFile {

  private static final Logger LOG = LoggerFactory.getLogger(SuperblockFile.class);

  /** More than any version has: what is beyond it is no superblock. */
  private static final int MAX_BYTES = 4096;

  private final Path file;
  private final Path next;

  SuperblockFile(Path folder) {
    this.file = folder.resolve("superblock");
    this.next = folder.resolve("superblock.new");
  }

  Path file() {
    return file;
  }

  /** Reads it, or says why that is not possible. Never throws. */
  Superblock.Reading read() {
    if (!Files.exists(file)) {
      return Superblock.Reading.ABSENT;
    }
    try (InputStream bytes = Files.newInputStream(file)) {
      return Superblock.decode(bytes.readNBytes(MAX_BYTES));
    } catch (IOException e) {
      return Superblock.Reading.unusable("its superblock cannot be read (" + e + ")");
    }
  }

  /**
   * Replaces it, all or nothing, whatever stops the machine in between. On a full disk the bytes
   * are overwritten in place, so that what is cached there can be opened all the same.
   */
  void write(Superblock superblock) throws IOException {
    byte[] bytes = superblock.encode();
    try {
      replace(bytes);
    } catch (IOException e) {
      Files.deleteIfExists(next);
      if (!Files.exists(file)) {
        throw new CachePathException(
            file,
            "cannot be written (" + e.getMessage() + ")",
            "the disk must be writable and have some space",
            e);
      }
      LOG.warn("{} cannot be replaced ({}), it is overwritten in place", file, e.toString());
      overwrite(file, bytes);
    }
  }

  void delete() throws IOException {
    Files.deleteIfExists(next);
    Files.deleteIfExists(file);
  }

  private void replace(byte[] bytes) throws IOException {
    Files.deleteIfExists(next);
    OwnedPaths.createFile(next);
    overwrite(next, bytes);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    OwnedPaths.force(file.getParent());
  }

  private static void overwrite(Path target, byte[] bytes) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(target.toFile(), "rw")) {
      out.write(bytes);
      out.getFD().sync();
    }
  }
}
