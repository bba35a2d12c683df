// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.NativeLong;
import dev.terrace.bench.fire.LoopDisk.LibC;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the memory of mapped files from a process, as a kernel short of memory does: its PMem tier,
 * its code, the JDK's. The process reads them again from their disks. Needs root on Linux.
 */
final class PageOut {

  /** A mapping of a file in {@code /proc/PID/maps}. */
  private static final Pattern MAPPED_FILE =
      Pattern.compile("(?<from>\\p{XDigit}+)-(?<to>\\p{XDigit}+) .{4} \\S+ \\S+ [1-9]\\d* +/.*");

  private static final NativeLong PIDFD_OPEN = new NativeLong(434);
  private static final NativeLong PROCESS_MADVISE = new NativeLong(440);
  private static final long MADV_PAGEOUT = 21;
  private static final long NO_FLAGS = 0;

  private PageOut() {}

  /** Returns whether the system and the user's rights allow it; tries it on this process. */
  static boolean isPossible() {
    try {
      return of(ProcessHandle.current().pid()) > 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Takes what a process has at this moment; returns how many mapped bytes that were. */
  static long of(long pid) throws IOException {
    List<String> maps = Files.readAllLines(Path.of("/proc/" + pid + "/maps"));
    try {
      LibC c = LibC.load();
      int process = c.syscall(PIDFD_OPEN, pid, NO_FLAGS).intValue();
      try {
        return maps.stream()
            .map(MAPPED_FILE::matcher)
            .filter(Matcher::matches)
            .mapToLong(mapping -> takeAway(c, process, mapping))
            .sum();
      } finally {
        c.close(process);
      }
    } catch (LastErrorException | LinkageError e) {
      throw new IOException("the memory of process " + pid + " cannot be taken away: " + e, e);
    }
  }

  private static long takeAway(LibC c, int process, Matcher mapping) {
    long from = Long.parseUnsignedLong(mapping.group("from"), 16);
    long to = Long.parseUnsignedLong(mapping.group("to"), 16);
    try (Memory iovec = new Memory(16)) {
      iovec.setLong(0, from);
      iovec.setLong(8, to - from);
      return c.syscall(PROCESS_MADVISE, process, iovec, 1L, MADV_PAGEOUT, NO_FLAGS).longValue();
    }
  }
}
