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
package dev.terrace.bench.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    try {
      if (isFull(work) || has(DISK_FULL, failure, log)) {
        return diskFull(work) + logs;
      }
      return reason(failure) + (log.isEmpty() ? "" : culprit(log.get())) + logs;
    } catch (IOException e) {
      failure.addSuppressed(e);
      return reason(failure) + logs;
    }
  }

  /** Returns the line for a server that has ended by itself. */
  static String ended(HBaseServer server) {
    String line = "HBase (process " + server.pid() + ") ended";
    try {
      return line + culprit(server.log()) + "; its log is " + server.log();
    } catch (IOException e) {
      return line + "; its log cannot be read: " + e;
    }
  }

  static String diskFull(Path work) {
    return "the disk of "
        + work
        + " is full, or nearly; free some space, use --dir DIRECTORY on another disk, or fewer"
        + " --rows";
  }

  /** Returns whether the disk of a folder is as good as full. */
  static boolean isFull(Path folder) throws IOException {
    return Files.getFileStore(folder).getUsableSpace() < NEARLY_NOTHING_BYTES;
  }

  private static boolean has(String[] texts, IOException failure, Optional<Path> log)
      throws IOException {
    for (String text : texts) {
      if (String.valueOf(failure.getMessage()).contains(text)) {
        return true;
      }
    }
    return log.isPresent() && LogTail.newestWith(log.get(), texts).isPresent();
  }

  private static String reason(IOException failure) {
    if (failure instanceof HBaseServerException start) {
      return start.reason();
    }
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse(failure.toString());
  }

  private static String culprit(Path log) throws IOException {
    return LogTail.newestWith(log, CULPRITS).map(line -> "; it says: " + line).orElse("");
  }
}
