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
