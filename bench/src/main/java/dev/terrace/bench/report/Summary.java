// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * A robust summary of a few measurements of the same thing.
 *
 * @param median the middle one, or the mean of the middle two
 * @param min the smallest
 * @param max the largest
 * @param count how many there are
 */
public record Summary(double median, double min, double max, int count) {

  /**
   * Summarizes measurements.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Summary of(Collection<Double> measurements) {
    if (measurements.isEmpty()) {
      throw new IllegalArgumentException("no measurements");
    }
    double[] sorted = measurements.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Summary(median, sorted[0], sorted[sorted.length - 1], sorted.length);
  }

  public static Summary of(double... measurements) {
    return of(Arrays.stream(measurements).boxed().toList());
  }

  /** Half the range in percent of the median, as shown in tables; a single figure has none. */
  public String spreadText() {
    double percent = median == 0 ? 0 : 100 * (max - min) / 2 / Math.abs(median);
    return count <= 1 ? Table.NONE : String.format(Locale.ROOT, "%.0f %%", percent);
  }

  /**
   * Percentiles of the time of an operation, in nanoseconds.
   *
   * @param count number of measurements
   * @param p50 the median
   * @param p99 the 99th percentile
   * @param p999 the 99.9th percentile
   * @param max the longest
   */
  public record LatencyNanos(long count, double p50, double p99, double p999, double max) {

    private static final int SIGNIFICANT_DIGITS = 3;

    /** A histogram for {@link #of} without an upper limit; for one thread. */
    public static Histogram newHistogram() {
      return new Histogram(SIGNIFICANT_DIGITS);
    }

    /** Summarizes a histogram of nanoseconds; all values are 0 if it is empty. */
    public static LatencyNanos of(Histogram nanos) {
      return new LatencyNanos(
          nanos.getTotalCount(),
          nanos.getValueAtPercentile(50),
          nanos.getValueAtPercentile(99),
          nanos.getValueAtPercentile(99.9),
          nanos.getMaxValue());
    }
  }
}
