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
import java.nio.file.Path;
import java.util.List;

/**
 * An HBase server did not start, ended, or did not reach a state in time. The message names its log
 * and ends with the end of it.
 */
public final class HBaseServerException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String reason;
  private final transient Path log;

  HBaseServerException(String reason, Path log, List<String> logTail, Throwable cause) {
    super(
        reason + "; its log is " + log + ", which ends with:\n  " + String.join("\n  ", logTail),
        cause);
    this.reason = reason;
    this.log = log;
  }

  /** Returns what went wrong, in one line. */
  public String reason() {
    return reason;
  }

  /** Returns the server's log. */
  public Path log() {
    return log;
  }
}
