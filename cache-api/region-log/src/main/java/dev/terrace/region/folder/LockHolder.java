// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that holds a folder, as its lock file names it. The name is for messages: the lock
 * keeps others out.
 *
 * @param pid the process's id
 * @param startedMillis when the process started, in milliseconds since 1970; 0 if unknown
 * @param file the lock file's identity: in a copy of the folder it is another
 */
record LockHolder(long pid, long startedMillis, String file) {

  private static final Pattern NOTE =
      Pattern.compile("pid=(\\d{1,18}) started=(\\d{1,18}) file=(\\S*)");

  private static final int MAX_NOTE_BYTES = 256;

  /** The start time is computed from the boot time, which the system has in seconds. */
  private static final long ACCURACY_MILLIS = 1_000;

  /** This process as the holder of a lock file. */
  static LockHolder here(Object fileKey) {
    return new LockHolder(
        ProcessHandle.current().pid(), startedMillis(ProcessHandle.current()), text(fileKey));
  }

  /** The holder that a lock file names; empty if it names none, or cannot be read. */
  static Optional<LockHolder> of(Path lockFile) {
    try (InputStream in = Files.newInputStream(lockFile)) {
      return parse(new String(in.readNBytes(MAX_NOTE_BYTES), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      return Optional.empty();
    }
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
   * Whether the holder of a file is another process that still runs. False if that cannot be found
   * out, as in another container.
   */
  boolean isRunningElsewhere(Path lockFile) throws IOException {
    return pid != ProcessHandle.current().pid()
        && file.equals(text(Files.readAttributes(lockFile, BasicFileAttributes.class).fileKey()))
        && isRunning();
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
