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
package dev.terrace.bench.server;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads the end of a server's log. A log that cannot be read says so in place of its lines. */
public final class LogTail {

  private static final int WINDOW_BYTES = 256 * 1024;

  private LogTail() {}

  /** Returns the last lines of a file, the oldest first; none when there is no file. */
  public static List<String> lines(Path file, int count) {
    List<String> all = window(file);
    return all.subList(Math.max(0, all.size() - count), all.size());
  }

  /** Returns the newest line near the end of the file that holds one of these texts. */
  public static Optional<String> newestWith(Path file, String... texts) {
    return window(file).stream()
        .filter(line -> Arrays.stream(texts).anyMatch(line::contains))
        .reduce((older, newer) -> newer)
        .map(String::strip);
  }

  private static List<String> window(Path file) {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long start = Math.max(0, in.length() - WINDOW_BYTES);
      byte[] bytes = new byte[(int) (in.length() - start)];
      in.seek(start);
      in.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (FileNotFoundException e) {
      return List.of();
    } catch (IOException e) {
      return List.of("(the log cannot be read: " + e + ")");
    }
  }
}
