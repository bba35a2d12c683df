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

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** How the regions file gets its space. Called while the folder is being opened, by one thread. */
@FunctionalInterface
public interface RegionsSpace {

  /** Only the length: space is taken as regions are written, as far as the disk has some then. */
  RegionsSpace SPARSE = RegionsSpace::setLength;

  /**
   * Gives a file its size, and keeps what it holds within that.
   *
   * @param regionsFile exists; it may be shorter or longer, or of that size already
   * @throws IOException if that fails; the file must not take more space then than it did before
   */
  void resize(Path regionsFile, long sizeBytes) throws IOException;

  /** Cuts a file off or extends it, without taking space. */
  static void setLength(Path file, long sizeBytes) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(sizeBytes);
    }
  }
}
