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
package dev.terrace.region.folder;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that holds a folder, as its lock file names it.
 *
 * @param pid the process's id
 * @param startedMillis when the process started, in milliseconds since 1970; 0 if unknown
 * @param file the lock file's identity: in a copy of the folder it is another
 */
record LockHolder(long pid, long startedMillis, String file) {

  private static final Pattern NOTE =
      Pattern.compile("pid=(\\d{1,18}) started=(\\d{1,18}) file=(\\S*)");

  /** The start time is computed from the boot time, which the system has in seconds. */
  private static final long ACCURACY_MILLIS = 1_000;

  /** This process as the holder of a lock file. */
  static LockHolder here(Object fileKey) {
    return new LockHolder(
        ProcessHandle.current().pid(), startedMillis(ProcessHandle.current()), text(fileKey));
  }

  /** Parses a line of {@link #note}; empty if it is anything else, such as half of one. */
  static Optional<LockHolder> parse(String note) {
    Matcher matcher = NOTE.matcher(note.strip());
    return matcher.matches()
        ? Optional.of(
            new LockHolder(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                matcher.group(3)))
        : Optional.empty();
  }

  /** The holder in one line of ASCII. */
  String note() {
    return "pid=" + pid + " started=" + startedMillis + " file=" + file;
  }

  /**
   * Whether the holder is another process that still runs. False if that cannot be found out, as in
   * another container.
   */
  boolean isRunningElsewhere(Object fileKey) {
    if (pid == ProcessHandle.current().pid() || !file.equals(text(fileKey))) {
      return false;
    }
    return isRunning();
  }

  /** Whether the holder is this process. Another container may have one with the same id. */
  boolean isThisProcess() {
    return pid == ProcessHandle.current().pid() && isRunning();
  }

  private boolean isRunning() {
    long started = ProcessHandle.of(pid).map(LockHolder::startedMillis).orElse(0L);
    return started > 0 && Math.abs(started - startedMillis) <= ACCURACY_MILLIS;
  }

  private static long startedMillis(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  private static String text(Object fileKey) {
    return String.valueOf(fileKey).replaceAll("\\s", "");
  }
}
