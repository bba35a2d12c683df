// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.trace;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What to record, and how much of it at most.
 *
 * @param folder an existing folder for the file
 * @param oneIn records one block in so many, with all of its accesses; 1 is all, at most {@value
 *     #MOST_ONE_IN}
 * @param mostBytes largest size of the file, from 1 MB to 64 GB
 * @param mostTime longest time, from one second to a week
 * @param withTables whether to write the names of the files' tables
 */
public record TraceOptions(
    Path folder, int oneIn, long mostBytes, Duration mostTime, boolean withTables) {

  private static final int MOST_ONE_IN = 65_536;
  private static final long LEAST_BYTES = 1 << 20;
  private static final long MOST_BYTES = 64L << 30;
  private static final Duration LONGEST = Duration.ofDays(7);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the first value that is out of range
   */
  public TraceOptions {
    require(oneIn >= 1 && oneIn <= MOST_ONE_IN, "oneIn=" + oneIn, "1 to " + MOST_ONE_IN);
    require(
        mostBytes >= LEAST_BYTES && mostBytes <= MOST_BYTES,
        "mostBytes=" + mostBytes,
        "1 MB to 64 GB");
    require(
        mostTime.toSeconds() >= 1 && mostTime.compareTo(LONGEST) <= 0,
        "mostTime=" + mostTime,
        "one second to seven days");
  }

  private static void require(boolean inRange, String value, String range) {
    if (!inRange) {
      throw new IllegalArgumentException(value + " is out of range: use " + range);
    }
  }
}
