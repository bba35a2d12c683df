// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreReadsTest {

  private static final int BLOCK_BYTES = 4096;

  private long now = 5;
  private final List<Long> times = new ArrayList<>();
  private final StoreReads reads = new StoreReads(() -> now, times::add);

  private void fetch(String file, long offset) {
    reads.fetched(file(file), offset, TestBlocks.data(file, offset, BLOCK_BYTES));
  }

  private void read(String file, long offset, long nanos) {
    reads.missed(file(file), offset);
    now += nanos;
    fetch(file, offset);
  }

  @Test
  void takeFromTheLastLookupToThePut() {
    reads.missed(file("file"), 0);
    now += 100;
    reads.missed(file("file"), 0);
    now += 7;
    fetch("file", 0);
    assertThat(times).containsExactly(7L);
  }

  @Test
  void countOnlyWhatTheSameThreadMissedLast() throws InterruptedException {
    fetch("file", 0);
    reads.missed(file("file"), 0);
    fetch("file", 2 * BLOCK_BYTES);
    Thread another = new Thread(() -> fetch("file", 0));
    another.start();
    another.join();
    assertThat(times).isEmpty();
    fetch("file", 0);
    fetch("file", 0);
    assertThat(times).hasSize(1);
  }

  @Test
  void doNotCountWhatWasReadAhead() {
    for (int block = 0; block < 100; block++) {
      read("a", (long) block * BLOCK_BYTES, block == 0 ? 20 : 1);
      read("b", (long) block * BLOCK_BYTES, block == 0 ? 30 : 1);
    }
    assertThat(times).containsExactly(20L, 30L);
  }
}
