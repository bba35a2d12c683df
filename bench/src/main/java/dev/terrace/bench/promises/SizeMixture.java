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
package dev.terrace.bench.promises;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The sizes of the blocks of a region server whose tables have blocks of 64 KB, from 4 KB to 1 MB:
 *
 * <ul>
 *   <li>75 % of the blocks: 64 to 68 KB. A block is closed by the cell that fills it, and so ends
 *       within one cell of the size that was asked for.
 *   <li>15 %: 4 to 64 KB, evenly by magnitude. Encoded or compressed blocks, and the last of files.
 *   <li>8 %: 68 to 256 KB, evenly by magnitude. Index and bloom blocks, and blocks of large cells.
 *   <li>2 %: 256 KB to 1 MB, evenly by magnitude. Very large cells.
 * </ul>
 */
final class SizeMixture {

  static final int LEAST_BYTES = 4 << 10;
  static final int MOST_BYTES = 1 << 20;

  private static final List<Part> PARTS =
      List.of(
          new Part(75, 64 << 10, 68 << 10),
          new Part(15, LEAST_BYTES, 64 << 10),
          new Part(8, 68 << 10, 256 << 10),
          new Part(2, 256 << 10, MOST_BYTES));

  private final SplittableRandom random;

  /** The same seed draws the same sizes. */
  SizeMixture(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A size in bytes. */
  int draw() {
    int point = random.nextInt(100);
    for (Part part : PARTS) {
      if (point < part.percent()) {
        return part.sizeAt(random.nextDouble());
      }
      point -= part.percent();
    }
    throw new AssertionError("the parts are less than 100 percent");
  }

  /** Sizes that come to at least so many bytes together. */
  int[] drawTotal(long totalBytes) {
    int[] sizes = new int[Math.toIntExact(totalBytes / LEAST_BYTES) + 1];
    int count = 0;
    for (long sum = 0; sum < totalBytes; count++) {
      sizes[count] = draw();
      sum += sizes[count];
    }
    return Arrays.copyOf(sizes, count);
  }

  private record Part(int percent, int fromBytes, int toBytes) {

    int sizeAt(double magnitude) {
      return (int) Math.round(fromBytes * Math.pow((double) toBytes / fromBytes, magnitude));
    }
  }
}
