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
package dev.terrace.bench.demo;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.hbase.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A new folder for everything that the demo writes. */
final class WorkDirectory {

  /** Write-ahead log, files, and the files that a compaction writes beside those that it reads. */
  private static final int COPIES_OF_DATA = 3;

  private static final ByteSize EVERYTHING_ELSE = ByteSize.ofMebibytes(512);
  private static final ByteSize NEARLY_NOTHING = ByteSize.ofMebibytes(64);

  private final Path path;

  private WorkDirectory(Path path) {
    this.path = path;
  }

  /**
   * Creates the folder.
   *
   * @param parent where; it is created when there is none
   * @param dataBytes bytes of the table that it will hold
   * @throws DemoFailure if it cannot be created, or has not enough space
   */
  static WorkDirectory create(Path parent, long dataBytes) throws DemoFailure {
    try {
      Files.createDirectories(parent);
      ByteSize needed = new ByteSize(dataBytes * COPIES_OF_DATA + EVERYTHING_ELSE.bytes());
      ByteSize free = new ByteSize(Files.getFileStore(parent).getUsableSpace());
      if (free.bytes() < needed.bytes()) {
        throw new DemoFailure(
            "not enough space in "
                + parent
                + ": "
                + free
                + " free, about "
                + needed
                + " needed; free some, use --dir DIRECTORY on another disk, or fewer --rows");
      }
      return new WorkDirectory(Files.createTempDirectory(parent.toRealPath(), "demo-"));
    } catch (IOException e) {
      throw new DemoFailure(
          "cannot create a folder in " + parent + " (" + e + "); use --dir DIRECTORY", e);
    }
  }

  Path path() {
    return path;
  }

  Path data() {
    return path.resolve("data");
  }

  /** Returns whether the disk is as good as full. */
  boolean isFull() throws IOException {
    return Files.getFileStore(path).getUsableSpace() < NEARLY_NOTHING.bytes();
  }

  /** Deletes the table, but not what tells of a failure: configuration and logs. */
  void deleteData() throws IOException {
    FileTree.delete(data());
  }

  /** Deletes the folder. */
  void delete() throws IOException {
    FileTree.delete(path);
  }
}
