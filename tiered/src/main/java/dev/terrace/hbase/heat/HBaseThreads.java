// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.heat;

/** Tells what the calling thread of HBase is for, by its name: the same from HBase 2.5 to 3.0. */
public final class HBaseThreads {

  private static final String COMPACTION = "Compactions-";
  private static final String PREFETCH = "hfile-prefetch-";
  private static final String CLOSE = "StoreFileCloser-";

  private static final String HANDLER = "handler=";

  private HBaseThreads() {}

  static boolean isCompacting() {
    return Thread.currentThread().getName().contains(COMPACTION);
  }

  static boolean isPrefetching() {
    return Thread.currentThread().getName().startsWith(PREFETCH);
  }

  /** Whether it closes the files of a region that the server closes. */
  public static boolean isClosingFiles() {
    return Thread.currentThread().getName().contains(CLOSE);
  }

  /** Whether it serves a client's request. */
  public static boolean isServing() {
    return Thread.currentThread().getName().contains(HANDLER);
  }
}
