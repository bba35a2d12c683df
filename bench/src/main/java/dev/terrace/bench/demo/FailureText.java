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
package dev.terrace.bench.demo;

import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.HBaseStartException;
import dev.terrace.bench.hbase.LogTail;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Says in one line why HBase or the disk did not play along, as far as exception, disk and HBase's
 * log tell.
 */
final class FailureText {

  private static final String[] DISK_FULL = {"No space left on device", "Disk quota exceeded"};
  private static final String[] CULPRITS = {"Caused by:", " ERROR ", " FATAL ", "OutOfMemoryError"};

  private FailureText() {}

  /** Returns the line. */
  static String of(IOException failure, WorkDirectory directory, Optional<HBaseServer> server) {
    Optional<Path> log =
        failure instanceof HBaseStartException start
            ? Optional.of(start.log())
            : server.map(HBaseServer::log);
    String logs = log.map(path -> "; HBase's log is " + path).orElse("");
    try {
      if (directory.isFull() || has(DISK_FULL, failure, log)) {
        return "the disk of "
            + directory.path()
            + " is full, or nearly; free some space, use --dir DIRECTORY on another disk, or fewer"
            + " --rows"
            + logs;
      }
      String culprit = log.isEmpty() ? "" : culprit(log.get());
      return reason(failure) + culprit + logs;
    } catch (IOException e) {
      failure.addSuppressed(e);
      return reason(failure) + logs;
    }
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
    if (failure instanceof HBaseStartException start) {
      return start.reason();
    }
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse(failure.toString());
  }

  private static String culprit(Path log) throws IOException {
    return LogTail.newestWith(log, CULPRITS).map(line -> "; it says: " + line).orElse("");
  }
}
