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

/** The log of a server, of which the last lines count. */
public record ServerLog(Path file) {

  private static final int WINDOW_BYTES = 256 * 1024;

  private static final String[] CULPRITS = {
    "Caused by:",
    " ERROR ",
    " FATAL ",
    "OutOfMemoryError",
    "No space left on device",
    "Disk quota exceeded"
  };

  /** Returns the newest line near the end that holds one of these texts. */
  public Optional<String> newestWith(String... texts) {
    return lastLines().stream()
        .filter(line -> Arrays.stream(texts).anyMatch(line::contains))
        .reduce((older, newer) -> newer)
        .map(String::strip);
  }

  /**
   * Returns a failure in one line: the first line of a message, the log's newest error, the log.
   */
  public String explain(String message) {
    return message.lines().findFirst().orElse("")
        + newestWith(CULPRITS).map(line -> "; it says: " + line).orElse("")
        + "; HBase's log is "
        + file;
  }

  private List<String> lastLines() {
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
