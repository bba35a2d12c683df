// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import java.util.Arrays;
import java.util.Date;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;

/** The sliding window of the statistics, in periods of some minutes. */
public final class StatsPeriods {

  /** HBase's own keys and defaults; their constants are not in the 2.5 line. */
  private static final String MINUTES_KEY = "hbase.blockcache.stats.period.minutes";

  private static final String COUNT_KEY = "hbase.blockcache.stats.periods";
  private static final int DEFAULT_MINUTES = 5;
  private static final int DEFAULT_COUNT = 12;

  private final int minutes;
  private final Date[] starts;
  private final LongSupplier millisClock;
  private int next;

  private StatsPeriods(int count, int minutes, LongSupplier millisClock) {
    this.minutes = minutes;
    this.starts = new Date[count];
    this.millisClock = millisClock;
  }

  /**
   * The window that HBase's settings ask for.
   *
   * @param millisClock such as {@link System#currentTimeMillis}
   */
  public static StatsPeriods of(Configuration conf, LongSupplier millisClock) {
    return new StatsPeriods(
        Math.max(1, conf.getInt(COUNT_KEY, DEFAULT_COUNT)),
        Math.max(0, conf.getInt(MINUTES_KEY, DEFAULT_MINUTES)),
        millisClock);
  }

  int count() {
    return starts.length;
  }

  /** Length of a period in minutes; 0 disables the window. */
  public int minutes() {
    return minutes;
  }

  /** Whether there is a window to slide. */
  public boolean isRolling() {
    return count() > 1 && minutes > 0;
  }

  /** Notes that a period ends now. */
  // JavaUtilDate: HBase's page wants it.
  @SuppressWarnings("JavaUtilDate")
  synchronized void rolled() {
    starts[next] = new Date(millisClock.getAsLong() - minutes * 60_000L);
    next = (next + 1) % starts.length;
  }

  /** When the periods began, in the order of the superclass's counts; null for those to come. */
  synchronized Date[] starts() {
    return Arrays.copyOf(starts, starts.length);
  }
}
