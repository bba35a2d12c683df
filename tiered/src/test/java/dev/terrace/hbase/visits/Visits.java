// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.visits;

/** Counts the objects that the current thread visits. {@link VisitedClasses} calls it. */
public final class Visits {

  private static final ThreadLocal<long[]> COUNT = ThreadLocal.withInitial(() -> new long[1]);

  private Visits() {}

  /** A method of a region, a file's table or a block was called. */
  public static void visit() {
    COUNT.get()[0]++;
  }

  /** How many of them an operation calls. */
  public static long of(Runnable operation) {
    long before = COUNT.get()[0];
    operation.run();
    return COUNT.get()[0] - before;
  }
}
