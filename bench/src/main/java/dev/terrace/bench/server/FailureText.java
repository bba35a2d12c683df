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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** One line on why HBase or the disk failed, from the exception, the disk and HBase's log. */
final class FailureText {

  private static final long NEARLY_NOTHING_BYTES = 64L << 20;
  private static final String[] DISK_FULL = {"No space left on device", "Disk quota exceeded"};
  private static final String[] CULPRITS = {"Caused by:", " ERROR ", " FATAL ", "OutOfMemoryError"};

  private FailureText() {}

  /**
   * Returns the line.
   *
   * @param work the folder of the run
   * @param newestLog of the server that was started last
   */
  static String of(IOException failure, Path work, Optional<Path> newestLog) {
    Optional<Path> log =
        failure instanceof HBaseServerException start ? Optional.of(start.log()) : newestLog;
    String logs = log.map(path -> "; HBase's log is " + path).orElse("");
    String message = String.valueOf(failure.getMessage());
    boolean isFull =
        Arrays.stream(DISK_FULL).anyMatch(message::contains)
            || log.flatMap(path -> LogTail.newestWith(path, DISK_FULL)).isPresent();
    if (isFull) {
      return full(work) + logs;
    }
    String reason =
        failure instanceof HBaseServerException start
            ? start.reason()
            : message.lines().findFirst().orElse(failure.toString());
    return diskFull(work).orElseGet(() -> reason + log.map(FailureText::culprit).orElse("")) + logs;
  }

  /** Returns the line for a server that has ended by itself. */
  static String ended(HBaseServer server) {
    return "HBase (process "
        + server.pid()
        + ") ended"
        + culprit(server.log())
        + "; its log is "
        + server.log();
  }

  /** Returns the line for a disk that is as good as full, if this one is. */
  static Optional<String> diskFull(Path work) {
    return work.toFile().getUsableSpace() < NEARLY_NOTHING_BYTES && Files.exists(work)
        ? Optional.of(full(work))
        : Optional.empty();
  }

  private static String full(Path work) {
    return "the disk of "
        + work
        + " is full, or nearly; free some space, use --dir DIRECTORY on another disk, or fewer"
        + " --rows";
  }

  private static String culprit(Path log) {
    return LogTail.newestWith(log, CULPRITS).map(line -> "; it says: " + line).orElse("");
  }
}
