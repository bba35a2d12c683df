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
package dev.terrace.pmem;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reserves a file's space by writing to it, and keeps its contents. Slow: it reads the whole file,
 * because the JDK cannot find its holes.
 */
final class ZeroFill {

  private static final int CHUNK_BYTES = 1 << 20;
  private static final int PAGE_BYTES = 4096;

  private ZeroFill() {}

  /**
   * Extends a file to a size, and fills its holes.
   *
   * @param fromBytes what lies before is not touched; at most the length of the file
   * @throws IOException if the disk is full or fails; the file may then be longer than before
   */
  static void fill(Path file, long fromBytes, long sizeBytes) throws IOException {
    byte[] zeros = new byte[CHUNK_BYTES];
    byte[] found = new byte[CHUNK_BYTES];
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      long thereBytes = open.length();
      for (long offset = fromBytes; offset < thereBytes; offset += CHUNK_BYTES) {
        int length = (int) Math.min(CHUNK_BYTES, thereBytes - offset);
        open.seek(offset);
        open.readFully(found, 0, length);
        fillHoles(open, offset, found, zeros, length);
      }
      open.seek(thereBytes);
      for (long offset = thereBytes; offset < sizeBytes; offset += CHUNK_BYTES) {
        open.write(zeros, 0, (int) Math.min(CHUNK_BYTES, sizeBytes - offset));
      }
      open.getFD().sync();
    }
  }

  /** Writes zeros to each page of zeros, which may be a hole. */
  private static void fillHoles(
      RandomAccessFile open, long offset, byte[] found, byte[] zeros, int length)
      throws IOException {
    for (int page = 0; page < length; page += PAGE_BYTES) {
      int end = Math.min(page + PAGE_BYTES, length);
      if (Arrays.equals(found, page, end, zeros, page, end)) {
        open.seek(offset + page);
        open.write(zeros, 0, end - page);
      }
    }
  }
}
