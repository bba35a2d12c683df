// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

/**
 * A run of adjacent pages that belong to one block, and the block's next run if one was not enough.
 *
 * @see PageAllocator
 */
record PageRun(int firstPage, int pages, PageRun next) {

  /** Runs from this one on. */
  int count() {
    int count = 0;
    for (PageRun run = this; run != null; run = run.next()) {
      count++;
    }
    return count;
  }

  /** Pages of the runs from this one on. */
  int allPages() {
    int all = 0;
    for (PageRun run = this; run != null; run = run.next()) {
      all += run.pages();
    }
    return all;
  }
}
