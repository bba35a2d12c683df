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
package dev.terrace.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the counters that a HotSpot JVM keeps in a file of its own, {@code hsperfdata_USER/PID} in
 * the system's directory for temporary files. Unlike {@code jcmd}, reading it costs the JVM nothing
 * and starts no other one.
 *
 * <pre>
 *   header                          entry
 *    0  magic, always big-endian     0  length of the entry
 *    4  byte order, 1 = little       4  offset of the name, from the entry
 *    5  version                      8  length of a vector, 0 for a single number
 *    8  bytes used                  12  type, 'J' for a long
 *   24  offset of the first entry   16  offset of the value, from the entry
 *   28  number of entries
 * </pre>
 */
final class PerfCounters {

  private static final int MAGIC = 0xCAFEC0C0;
  private static final int HEADER_BYTES = 32;
  private static final int ENTRY_BYTES = 20;

  private PerfCounters() {}

  /**
   * Returns the file of a JVM of this user.
   *
   * @param temporary the system's directory for temporary files, whatever {@code java.io.tmpdir}
   *     says
   */
  static Path file(Path temporary, String user, long pid) {
    return temporary.resolve("hsperfdata_" + user).resolve(Long.toString(pid));
  }

  /**
   * Returns the single numbers in a file, by name; none when there is no file.
   *
   * @throws IOException if it cannot be read, or is something else
   */
  static Map<String, Long> read(Path file) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      return Map.of();
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    if (bytes.length < HEADER_BYTES || buffer.getInt(0) != MAGIC) {
      throw new IOException(file + " does not begin as the counters of a JVM do");
    }
    buffer.order(buffer.get(4) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    return numbers(buffer, bytes);
  }

  private static Map<String, Long> numbers(ByteBuffer buffer, byte[] bytes) {
    Map<String, Long> numbers = new HashMap<>();
    int at = buffer.getInt(24);
    int entries = buffer.getInt(28);
    for (int i = 0; i < entries && at + ENTRY_BYTES <= buffer.limit(); i++) {
      int length = buffer.getInt(at);
      int value = at + buffer.getInt(at + 16);
      // The JVM may be adding an entry just now: one that is not whole ends the reading.
      if (length < ENTRY_BYTES || at + length > buffer.limit()) {
        break;
      }
      if (buffer.get(at + 12) == 'J' && buffer.getInt(at + 8) == 0) {
        numbers.put(name(bytes, at + buffer.getInt(at + 4)), buffer.getLong(value));
      }
      at += length;
    }
    return numbers;
  }

  private static String name(byte[] bytes, int from) {
    int to = from;
    while (to < bytes.length && bytes[to] != 0) {
      to++;
    }
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
