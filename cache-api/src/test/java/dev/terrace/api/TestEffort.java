// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/**
 * How much the tests try whose cases are random, in percent: {@code ./mvnw verify} tries a fifth of
 * what {@code -Pall} does, and {@code -Dterrace.test.effort=1000} ten times as much, for a night.
 */
public final class TestEffort {

  private static final int PERCENT = Integer.getInteger("terrace.test.effort", 100);

  private TestEffort() {}

  /**
   * How many cases to try, at least one: seeds, scenarios, rounds or milliseconds.
   *
   * @param cases how many are enough for the long gate
   */
  public static int times(int cases) {
    return Math.max(1, Math.toIntExact((long) cases * PERCENT / 100));
  }

  /** Of cases that are listed in full, such as each byte of a record: every how manyth to try. */
  public static int step() {
    return Math.max(1, 100 / PERCENT);
  }
}
