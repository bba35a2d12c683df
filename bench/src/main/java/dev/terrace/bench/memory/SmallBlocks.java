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
package dev.terrace.bench.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Many small blocks, numbered from 0, in files of {@value #BLOCKS_PER_FILE}. Their bytes follow
 * from their numbers. Immutable.
 */
final class SmallBlocks {

  static final int BLOCKS_PER_FILE = 1000;

  /** As far apart as 64 KB blocks are in a file. */
  private static final long OFFSET_STEP = 64 << 10;

  private final int count;
  private final int payloadBytes;
  private final List<String> files;

  SmallBlocks(int count, int payloadBytes) {
    this.count = count;
    this.payloadBytes = payloadBytes;
    this.files =
        IntStream.range(0, (count + BLOCKS_PER_FILE - 1) / BLOCKS_PER_FILE)
            .mapToObj(file -> String.format(Locale.ROOT, "%032x", stamp(file)))
            .toList();
  }

  int count() {
    return count;
  }

  int payloadBytes() {
    return payloadBytes;
  }

  String file(int block) {
    return files.get(block / BLOCKS_PER_FILE);
  }

  long offset(int block) {
    return block % BLOCKS_PER_FILE * OFFSET_STEP;
  }

  /** The bytes of a block: its number over and over. */
  byte[] payload(int block) {
    ByteBuffer payload = ByteBuffer.allocate(payloadBytes).order(ByteOrder.LITTLE_ENDIAN);
    while (payload.remaining() >= Long.BYTES) {
      payload.putLong(stamp(block));
    }
    return payload.array();
  }

  /** Whether these are the bytes of a block. */
  boolean isPayload(int block, byte[] found) {
    return Arrays.equals(found, payload(block));
  }

  private static long stamp(int block) {
    return (block + 1L) * 0x9e3779b97f4a7c15L;
  }
}
