// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.plan;

/**
 * What one set of sizes would bring.
 *
 * @param tier the tier that is changed
 * @param times its size relative to today's
 * @param sizeBytes its size
 * @param hitRatio hits of all tiers in all accesses
 * @param ssdBytesWritten bytes that SSD would have written, with those written anew to keep them
 */
public record Outlook(
    String tier, double times, long sizeBytes, double hitRatio, long ssdBytesWritten) {

  Outlook withHitRatio(double other) {
    return new Outlook(tier, times, sizeBytes, other, ssdBytesWritten);
  }

  /** The relative size for people: 0, 1/2, 1, 2 or 4. */
  public String factor() {
    return times == 0.5 ? "1/2" : Long.toString(Math.round(times));
  }
}
